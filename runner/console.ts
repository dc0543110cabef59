/** The console user code sees: lines go to the host, bounded in number and size, never to a stream of the process. */
import { formatWithOptions, inspect } from "node:util";
import { TracedNumber, primal } from "../engine/tape/traced.js";
import { withUserFrames } from "./frames.js";
import type { ConsoleLine } from "./messages.js";

const MOST_LINES = 2_000;
const LONGEST_LINE = 8_192;
const MOST_CHARACTERS = 1_000_000;

/** Prints a traced number as its primal: looking at a value is not a use that cuts a gradient. */
function teachInspect(): void {
  Object.defineProperty(TracedNumber.prototype, inspect.custom, {
    value(
      this: TracedNumber,
      _depth: number,
      options: { stylize(text: string, kind: string): string },
    ): string {
      return options.stylize(Object.is(primal(this), -0) ? "-0" : String(primal(this)), "number");
    },
    enumerable: false,
    configurable: true,
  });
}

export function installConsole(realm: typeof globalThis, send: (line: ConsoleLine) => void): void {
  teachInspect();
  let lines = 0;
  let characters = 0;
  let indent = "";
  const counts = new Map<string, number>();
  const times = new Map<string, number>();

  const write = (level: ConsoleLine["level"], args: readonly unknown[]): void => {
    if (lines > MOST_LINES || characters > MOST_CHARACTERS) return;
    lines++;
    if (lines > MOST_LINES) {
      send({ level: "warn", text: `(console: more than ${MOST_LINES} lines; the rest is not shown)` });
      return;
    }
    const plain = args.map((arg) => (arg instanceof TracedNumber ? primal(arg) : arg));
    let text = formatWithOptions(
      { colors: false, depth: 4, maxArrayLength: 100, maxStringLength: LONGEST_LINE },
      ...plain,
    );
    text = withUserFrames(text);
    if (text.length > LONGEST_LINE) text = `${text.slice(0, LONGEST_LINE)}… (${text.length} characters)`;
    characters += text.length;
    if (indent !== "") text = text.replace(/^/gm, indent);
    send({ level, text });
    if (characters > MOST_CHARACTERS) {
      send({ level: "warn", text: "(console: more than a million characters; the rest is not shown)" });
    }
  };
  const at =
    (level: ConsoleLine["level"]) =>
    (...args: unknown[]): void =>
      write(level, args);
  const label = (name: unknown): string => (name === undefined ? "default" : String(name));
  const elapsed = (name: string): string =>
    `${name}: ${(performance.now() - (times.get(name) ?? NaN)).toFixed(3)}ms`;

  realm.console = Object.assign(Object.create(null) as Console, {
    log: at("log"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    debug: at("debug"),
    trace: at("debug"),
    table: at("log"),
    dir: (value: unknown) => write("log", [value]),
    dirxml: at("log"),
    assert: (condition?: unknown, ...args: unknown[]) => {
      if (!condition)
        write("error", args.length === 0 ? ["Assertion failed"] : ["Assertion failed:", ...args]);
    },
    group: (...args: unknown[]) => {
      if (args.length > 0) write("log", args);
      indent = `${indent}  `.slice(0, 40);
    },
    groupCollapsed: (...args: unknown[]) => realm.console.group(...args),
    groupEnd: () => {
      indent = indent.slice(2);
    },
    count: (name?: unknown) => {
      const key = label(name);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      write("log", [`${key}: ${counts.get(key)}`]);
    },
    countReset: (name?: unknown) => void counts.delete(label(name)),
    time: (name?: unknown) => void times.set(label(name), performance.now()),
    timeEnd: (name?: unknown) => {
      write("log", [elapsed(label(name))]);
      times.delete(label(name));
    },
    timeLog: (name?: unknown, ...args: unknown[]) => write("log", [elapsed(label(name)), ...args]),
    timeStamp: () => undefined,
    profile: () => undefined,
    profileEnd: () => undefined,
    clear: () => undefined,
  });
}
