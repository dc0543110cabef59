/** The texts of `--help`, made from the table of commands. */
import type { CommandSpec, OptionSpecs } from "./command.js";
import { graphOptions, json, limitOptions, type OptionGroup } from "./options.js";

const WIDTH = 105;
/** column at which the help of an option or a command begins */
const INDENT = 25;

/** `--help`: every command, and the options that all of them take. */
export function helpText(commands: readonly CommandSpec[]): string {
  return [
    "Backsweep: the debugger for gradients.\n",
    "Usage: backsweep COMMAND FILE [options]     backsweep COMMAND --help for its own options\n",
    ...commands.map(({ name, usage, summary }) => entry(`${name} ${needed(usage)}`, summary)),
    "",
    ...commonOptions(),
    "What is printed",
    ...entries({ json }),
    "",
    entry("-h, --help", "this text, or that of a command"),
    entry("-v, --version", "the version"),
    "",
    "Exit code 0: all well; 1: a finding (NaN or Inf, a failed check: --help of a command says which);\n2: the input could not be used.",
    "The workspace is the current folder if FILE lies in it, else FILE's own folder.",
    "",
  ].join("\n");
}

/** A usage without what may be left out. */
function needed(usage: string): string {
  return usage.replace(/ *\[[^\]]*\]/g, "");
}

/** `backsweep COMMAND --help`. */
export function commandHelp(command: CommandSpec): string {
  const { name, usage, summary, about, options, finding, graphless, limitsOnly } = command;
  const one = finding === null ? "" : ` 1: ${finding};`;
  const capital = summary.charAt(0).toUpperCase() + summary.slice(1);
  return [
    `${capital}.\n`,
    `Usage: backsweep ${name} ${usage} [options]\n`,
    ...(about.length === 0 ? [] : [...paragraphs(about).flatMap((text) => wrapped(text, WIDTH)), ""]),
    "Of this command",
    ...entries({ ...options, json }),
    "",
    ...(graphless === true
      ? []
      : groupLines(groupsOf(command, limitsOnly === true ? [limitOptions] : graphOptions))),
    `Exit code 0: all well;${one} 2: the input could not be used.`,
    "",
  ].join("\n");
}

/** Lines as they stand in the source, joined to what they say: a sentence that ends a line ends a paragraph. */
function paragraphs(lines: readonly string[]): string[] {
  const out: string[] = [];
  for (const line of lines) {
    const last = out[out.length - 1];
    if (last === undefined || /[.:]$/.test(last)) out.push(line);
    else out[out.length - 1] = `${last} ${line}`;
  }
  return out;
}

/** The groups of options, with what the command means by them otherwise than the others. */
function groupsOf({ help = {} }: CommandSpec, groups: readonly OptionGroup[]): OptionGroup[] {
  return groups.map(({ title, options }) => ({
    title,
    options: Object.fromEntries(
      Object.entries(options).map(([name, option]) => [
        name,
        Object.hasOwn(help, name) ? { ...option, help: help[name] } : option,
      ]),
    ),
  }));
}

function commonOptions(): string[] {
  return groupLines(graphOptions);
}

function groupLines(groups: readonly OptionGroup[]): string[] {
  return groups.flatMap(({ title, options }) => [title, ...entries(options), ""]);
}

function entries(options: OptionSpecs): string[] {
  return Object.entries(options).map(([name, { value, help }]) =>
    entry(value === undefined ? `--${name}` : `--${name} ${value}`, help),
  );
}

/** A name and what it means. */
function entry(name: string, meaning: string): string {
  const lead = `  ${name}`;
  const indent = " ".repeat(INDENT);
  const gap = lead.length + 2 > INDENT ? `\n${indent}` : " ".repeat(INDENT - lead.length);
  return lead + gap + wrapped(meaning, WIDTH - INDENT).join(`\n${indent}`);
}

/** Lines of at most `width` characters, broken between words. */
export function wrapped(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1];
    if (last !== "" && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}
