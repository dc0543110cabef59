/** What a command of the command line is: its words, its options, and what it does with an answer of the runner. */
import type { AnalysisKind, AnalysisOf, ResultOf } from "../engine/analysis/analysis.js";
import type { Style } from "./style.js";

/** One option, as parsing and `--help` read it. */
export interface OptionSpec {
  /** placeholder of its value in the help ("NAME"); absent: it takes none */
  readonly value?: string;
  readonly repeatable?: boolean;
  readonly help: string;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** Options as they were typed: what takes a value has its text, what takes none is true. */
export interface OptionValues {
  text(option: string): string | undefined;
  texts(option: string): readonly string[];
  flag(option: string): boolean;
}

/** The words of a command, from which parsing and both helps are made. */
export interface CommandSpec {
  readonly name: string;
  /** what stands behind the name: "FILE --input x" */
  readonly usage: string;
  /** one line for the list of commands */
  readonly summary: string;
  /** what `backsweep COMMAND --help` says beside the options; a line that ends a sentence ends a paragraph */
  readonly about: readonly string[];
  /** it reads no file: its options are its own, and --json */
  readonly graphless?: true;
  /** of the options of a graph it takes the limits alone: it runs no graph */
  readonly limitsOnly?: true;
  /** options that only this command takes, beside those of every command that runs a graph */
  readonly options: OptionSpecs;
  /** help of options that many commands take, where this one means something else by them */
  readonly help?: Readonly<Record<string, string>>;
  /** what exit code 1 means, as a sentence fragment: "a check failed"; null: there is none */
  readonly finding: string | null;
}

/** What printing for a person needs beside the result. */
export interface Page {
  readonly graph: string;
  readonly style: Style;
  /** an absolute path as it is shown */
  readonly showPath: (path: string) => string;
}

/** A command that asks the runner for one analysis of a graph and prints the answer. */
export interface AnalysisCommand<K extends AnalysisKind> extends CommandSpec {
  readonly name: K;
  /** without --graph it is about every graph of the file, not the first; default false */
  readonly everyGraph?: boolean;
  /** What is asked of the engine. Throws UsageError naming the option. */
  read(values: OptionValues): AnalysisOf<K>;
  /** Below the heading, for a person. Lines end in "\n". */
  human(result: ResultOf<K>, page: Page): Iterable<string>;
  /** Entries of the JSON document behind `graph`, `file`, `dtype` and so on. Numbers and typed arrays as they are. */
  json(result: ResultOf<K>, page: Page): Readonly<Record<string, unknown>>;
  /** true: exit code 1 */
  isFinding(result: ResultOf<K>): boolean;
}
