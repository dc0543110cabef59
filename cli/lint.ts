/** `backsweep lint`: what it is called with. */
import type { LintOptions } from "../engine/lint/options.js";
import type { Severity } from "../engine/lint/report.js";
import type { CommandSpec, OptionValues } from "./command.js";
import { ruleNames } from "./lint-rule-names.js";
import { suggestion, UsageError } from "./usage-error.js";

export type LintFormat = "stylish" | "json" | "sarif";
export type EvidenceWanted = "proven" | "structural" | "all";

export interface LintCall {
  readonly command: "lint";
  readonly paths: readonly string[];
  readonly format: LintFormat;
  readonly fix: boolean;
  readonly evidence: EvidenceWanted;
  readonly options: LintOptions;
}

const FORMATS: readonly string[] = ["stylish", "json", "sarif"];
const EVIDENCE: readonly string[] = ["proven", "structural", "all"];
const SEVERITIES: readonly string[] = ["error", "warning", "off"];

export const lint: CommandSpec = {
  name: "lint",
  usage: "PATH... [--format stylish|json|sarif] [--fix]",
  summary: "static checks of hand-written reverse-mode code: contributions that are lost",
  about: [
    "PATH is a file, a folder or a glob. Folders are searched for JavaScript, TypeScript and Python (the first",
    "four rules), without installed packages and what .gitignore and .backsweepignore name. Files above 2 MB,",
    "nested deeper than 1,000, or so broken that nothing can be read of them are skipped with a note.",
    "A report is silenced by // backsweep-disable-next-line RULE -- reason, in Python with # in place of //.",
  ],
  options: {
    format: { value: "F", help: "stylish (default) | json, as ESLint prints it | sarif (2.1.0)" },
    fix: { help: "apply the fixes that operations of the same engine prove; others stay suggestions" },
    rule: {
      value: "NAME:S",
      repeatable: true,
      help: "severity of a rule: error, warning or off; repeatable",
    },
    evidence: {
      value: "E",
      help: "what is reported: proven (by siblings or by a graph of the file), structural (that too; default), all (chains as information)",
    },
    "assume-chain": { help: "take every value to be used once" },
    "gradient-names": {
      value: "NAMES",
      repeatable: true,
      help: "further names of gradient slots: words or /regular expressions/, with commas between; repeatable",
    },
    "reset-names": {
      value: "NAMES",
      repeatable: true,
      help: "further functions that set gradients back, in the same way",
    },
    "helper-names": {
      value: "NAMES",
      repeatable: true,
      help: "further functions that add a contribution into a slot, in the same way",
    },
  },
  finding: "a report of a rule whose severity is error",
  graphless: true,
};

/** Throws UsageError. */
export function readLint(paths: readonly string[], values: OptionValues): LintCall {
  if (paths.length === 0) throw new UsageError(`lint: no file given: use backsweep lint ${lint.usage}`);
  const json = values.flag("json");
  const format = values.text("format") ?? (json ? "json" : "stylish");
  if (!FORMATS.includes(format))
    throw new UsageError(
      `--format ${format}: not one of ${FORMATS.join(", ")}${suggestion(format, FORMATS)}`,
    );
  if (json && format !== "json") throw new UsageError(`--json and --format ${format} exclude each other`);
  const evidence = values.text("evidence") ?? "structural";
  if (!EVIDENCE.includes(evidence))
    throw new UsageError(`--evidence ${evidence}: not one of ${EVIDENCE.join(", ")}`);
  return {
    command: "lint",
    paths,
    format: format as LintFormat,
    fix: values.flag("fix"),
    evidence: evidence as EvidenceWanted,
    options: {
      severities: severities(values.texts("rule")),
      assumeChain: values.flag("assume-chain"),
      ...names("gradientNames", "gradient-names", values),
      ...names("resetNames", "reset-names", values),
      ...names("helperNames", "helper-names", values),
    },
  };
}

/** `a,b,/c|d/`: commas inside of a regular expression are part of it. */
function names(key: keyof LintOptions, option: string, values: OptionValues): LintOptions {
  const all = values.texts(option).flatMap((text) => text.match(/\/(?:\\.|[^/\\])+\/[imsu]*|[^,]+/g) ?? []);
  for (const name of all) {
    const pattern = /^\/(.+)\/([imsu]*)$/.exec(name);
    try {
      if (pattern !== null) new RegExp(pattern[1], pattern[2]);
    } catch {
      throw new UsageError(`--${option} ${name}: not a regular expression`);
    }
  }
  const found = all.map((name) => name.trim()).filter((name) => name !== "");
  return found.length === 0 ? {} : { [key]: found };
}

function severities(texts: readonly string[]): Record<string, Severity | "off"> {
  const out: Record<string, Severity | "off"> = {};
  for (const text of texts) {
    const at = text.lastIndexOf(":");
    const name = at === -1 ? text : text.slice(0, at);
    const severity = at === -1 ? "" : text.slice(at + 1).replace(/^warn$/, "warning");
    if (!ruleNames.includes(name))
      throw new UsageError(`--rule ${text}: no rule "${name}"${suggestion(name, ruleNames)}`);
    if (!SEVERITIES.includes(severity))
      throw new UsageError(`--rule ${text}: write ${name}:error, ${name}:warning or ${name}:off`);
    out[name] = severity as Severity | "off";
  }
  return out;
}
