import { scheduleKinds } from "../../../engine/checkpoint/kinds.js";
import { describe, expect, it } from "vitest";
import { parseCommandLine } from "../../../cli/args.js";
import { parseAssignments, parseBytes, parseNumber, parseValue } from "../../../cli/values.js";
import { commands } from "../../../cli/commands.js";
import { commandHelp, helpText } from "../../../cli/usage.js";
import { UsageError } from "../../../cli/usage-error.js";

const run = (...args: string[]): ReturnType<typeof parseCommandLine> =>
  parseCommandLine(["run", "a.ts", ...args]);
const mistake = (...args: string[]): string => {
  try {
    parseCommandLine(args);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error("understood");
};

describe("command line", () => {
  it("has defaults", () => {
    expect(run()).toEqual({
      command: "run",
      file: "a.ts",
      options: {},
      timeoutMs: 5000,
      memoryBytes: 512 * 2 ** 20,
      allowImports: false,
      print: "human",
      events: false,
    });
  });

  it("reads every option", () => {
    const args =
      "--graph g --set x=2 --set y=1,2,3 --set=z=-0 --seed 7 --schedule store-all --dtype f32 --cotangent-dtype bf16 --accumulate last-writer-wins:a --order 3,2,1 --timeout 0.5 --memory 2GB --allow-imports --json --events";
    expect(run(...args.split(" "))).toMatchObject({
      options: {
        graph: "g",
        set: { x: 2, y: [1, 2, 3], z: -0 },
        seed: 7,
        schedule: "store-all",
        dtype: "f32",
        cotangentDtype: "bf16",
        accumulate: "last-writer-wins:a",
        order: [3, 2, 1],
      },
      timeoutMs: 500,
      memoryBytes: 2e9,
      allowImports: true,
      print: "json",
      events: true,
    });
  });

  it("takes options before the file, negative values and a lone array", () => {
    expect(parseCommandLine(["run", "--set", "x=-2", "--json", "a.ts"])).toMatchObject({
      options: { set: { x: -2 } },
    });
    expect(run("--set", "x=5,")).toMatchObject({ options: { set: { x: [5] } } });
    expect(run("--set", "x=[1, 2]")).toMatchObject({ options: { set: { x: [1, 2] } } });
  });

  it("answers help and version anywhere", () => {
    expect(parseCommandLine([])).toEqual({ command: "help", of: null });
    expect(parseCommandLine(["--help"])).toEqual({ command: "help", of: null });
    for (const args of [
      ["run", "--help"],
      ["run", "a.ts", "--json", "-h"],
      ["help", "run"],
    ])
      expect(parseCommandLine(args)).toMatchObject({ command: "help", of: { name: "run" } });
    expect(parseCommandLine(["-v"])).toEqual({ command: "version" });
  });

  it("reads a command with options of its own, and every option of run with it", () => {
    const args =
      "check a.ts --graph g --set x=1 --accumulate kahan --dtype f32 --timeout 2 --memory 1GB --json";
    expect(parseCommandLine(args.split(" "))).toEqual({
      command: "analysis",
      file: "a.ts",
      options: { graph: "g", set: { x: 1 }, accumulate: "kahan", dtype: "f32" },
      timeoutMs: 2000,
      memoryBytes: 1e9,
      allowImports: false,
      analysis: { kind: "check" },
      print: "json",
    });
    expect(parseCommandLine(["--input", "w[2]", "steps", "a.ts"])).toMatchObject({
      analysis: { kind: "steps", input: "w[2]" },
      print: "human",
    });
  });

  it.each(commands.map(({ name }) => name))("%s has a line in the help and a help of its own", (name) => {
    const spec = commands.find((command) => command.name === name)!;
    const whole = helpText(commands);
    expect(whole).toMatch(new RegExp(`^  ${name} ${spec.graphless === true ? "(?:--|PATH)" : "FILE"}`, "m"));
    const own = commandHelp(spec);
    const ofGraphs = spec.graphless === true || spec.limitsOnly === true ? [] : ["graph", "dtype"];
    const ofLimits = spec.graphless === true ? [] : ["timeout"];
    for (const option of [...Object.keys(spec.options), "json", ...ofGraphs, ...ofLimits])
      expect(own).toMatch(new RegExp(`^  --${option}\\b`, "m"));
    for (const line of (whole + own).split("\n")) expect(line.length).toBeLessThanOrEqual(120);
  });

  it.each([
    [["rum", "a.ts"], 'unknown command "rum"; did you mean "run"?'],
    [["a.graph.ts"], 'unknown command "a.graph.ts"; did you mean "backsweep run a.graph.ts"?'],
    [["report", "a.ts"], 'the command "report" is not in this version'],
    [["help", "chek"], 'unknown command "chek"; did you mean "check"?'],
    [["check"], "check: no file given: use backsweep check FILE"],
    [["check", "a.ts", "--events"], "check takes no --events: it belongs to run"],
    [["check", "a.ts", "--dtyp", "f32"], 'unknown option "--dtyp"; did you mean "--dtype"?'],
    [["run", "a.ts", "--input", "x"], "run takes no --input: it belongs to steps"],
    [["steps", "a.ts"], "steps: which input? use backsweep steps FILE --input x"],
    [["steps", "a.ts", "--input", "x", "--input", "y"], "--input is given twice"],
    [["run"], "run: no file given: use backsweep run FILE"],
    [["run", "a", "b"], "run: one file at a time, 2 given (a, b)"],
    [["run", "a", "--jsn"], 'unknown option "--jsn"; did you mean "--json"?'],
    [["run", "a", "--graph"], "--graph needs a value"],
    [["run", "a", "--graph", "--json"], "--graph needs a value"],
    [["run", "a", "--json=1"], "--json takes no value"],
    [["run", "a", "--seed", "1", "--seed", "2"], "--seed is given twice"],
    [["run", "a", "--set", "x"], "--set x: write --set name=value, for example --set x=2"],
    [["run", "a", "--set", "x=two"], '--set x: "two" is not a number'],
    [["run", "a", "--set", "x="], '--set x: no value after "="'],
    [["run", "a", "--seed", "1.5"], "--seed: use an integer from 0 to 2^53 - 1, not 1.5"],
    [
      ["run", "a", "--schedule", "storeall"],
      `--schedule: unknown "storeall"; did you mean "store-all"?; use ${scheduleKinds.map(({ form }) => form).join(", ")}`,
    ],
    [["run", "a", "--dtype", "f65"], '--dtype: unknown "f65"; did you mean "f64"?; use f64, f32, f16, bf16'],
    [
      ["run", "a", "--accumulate", "kahn"],
      '--accumulate: unknown "kahn"; did you mean "kahan"?; use sum, pairwise, kahan, last-writer-wins',
    ],
    [["run", "a", "--accumulate", "sum:x"], '--accumulate: sum takes nothing after ":"'],
    [["run", "a", "--order", "1,x"], '--order: "x" is not a node id'],
    [
      ["run", "a", "--order", "tap"],
      '--order: unknown "tap"; did you mean "tape"?; use breadth, tape, or node ids such as 4,3,2,1,0',
    ],
    [["run", "a", "--timeout", "0"], "--timeout: use seconds greater than 0, not 0"],
    [["run", "a", "--memory", "lots"], '--memory: "lots" is not a size: use bytes, or 512MiB, 2GB'],
    [["run", "a", "--events"], "--events needs --json"],
    [
      ["run", "a", "--json", "--memory-card"],
      "--json and --memory-card exclude each other: one document at a time",
    ],
  ])("%j: %s", (args, message) => {
    expect(mistake(...args)).toBe(message);
  });

  it.each([
    ["512MiB", 512 * 2 ** 20],
    ["2GB", 2e9],
    ["64m", 64 * 2 ** 20],
    ["1.5GiB", 1.5 * 2 ** 30],
    ["10000000", 1e7],
  ])("%s is %i bytes", (text, bytes) => {
    expect(parseBytes(text)).toBe(bytes);
  });

  it.each([
    ["-0", -0],
    ["1e-3", 0.001],
    [".5", 0.5],
    ["-Infinity", -Infinity],
    ["nan", NaN],
    ["0x10", 16],
    ["-0x10", -16],
  ])("%s is the number %d", (text, value) => {
    expect(parseNumber(text, "")).toBe(value);
  });

  it.each([
    ["2", 2],
    ["1,2", [1, 2]],
    ["5,", [5]],
    ["[]", []],
    ["[ 1, -0 ]", [1, -0]],
    [
      "[[1,2],[3,4]]",
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ["[1],[2]", [[1], [2]]],
  ])("%s is a value", (text, value) => {
    expect(parseValue(text, "--set x")).toEqual(value);
  });

  it.each(["[1,2", "1,2]", "[[1,2]", "[1]]", "[", "1,two"])("%s is none", (text) => {
    expect(() => parseValue(text, "--set x")).toThrow(UsageError);
  });

  it("reads several assignments from one text", () => {
    const read = (text: string): unknown => parseAssignments("--direction", text, "--direction x=1,y=0");
    expect(read("x=1,y=0")).toEqual({ x: 1, y: 0 });
    expect(read("x=1,2,y=0")).toEqual({ x: [1, 2], y: 0 });
    expect(read("w=[[1,2],[3,4]],x=-1")).toEqual({
      w: [
        [1, 2],
        [3, 4],
      ],
      x: -1,
    });
    expect(() => read("x=1,x=2")).toThrow("--direction x is given twice");
    expect(() => read("1")).toThrow(
      "--direction 1: write --direction name=value, for example --direction x=1,y=0",
    );
  });
});
