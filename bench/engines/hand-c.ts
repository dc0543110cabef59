/**
 * The same adjoints in C, compiled with `cc -O3 -march=native` when there is a compiler, running in a process of their own
 * that keeps the clock.
 */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Problem } from "../problems/problem.js";
import { places } from "../places.js";
import type { Engine } from "./engine.js";

/** The problem's numbers in the order `native/hand.c` reads them. */
function* numbersOf(problem: Problem): Generator<ArrayLike<number>> {
  switch (problem.kind) {
    case "rosenbrock":
      yield [problem.n];
      break;
    case "chain":
      yield [problem.length];
      break;
    case "mlp":
      yield [problem.inputs, problem.hidden, problem.classes, problem.batch];
      yield problem.labels;
      yield problem.x;
      break;
    case "gmm":
      yield [problem.d, problem.k, problem.n, problem.m, problem.gamma, problem.constant];
      yield problem.x;
      break;
    case "lstm":
      yield [problem.layers, problem.b, problem.c];
      yield problem.state;
      yield problem.sequence;
      break;
  }
  yield problem.parameters;
}

/** Null when the program is there, which one process of a run sees to. */
function compile(out: string): string | null {
  if (existsSync(out)) return null;
  const source = join(places().root, "bench/native/hand.c");
  for (const compiler of [process.env["CC"] ?? "cc", "gcc", "clang"]) {
    const flags = ["-O3", "-march=native", "-o", out, source, "-lm"];
    if (spawnSync(compiler, flags, { stdio: "ignore" }).status === 0) return null;
  }
  return "no C compiler";
}

/** One answer a line, in the order of the questions. */
class Native {
  private readonly waiting: ((line: string | null) => void)[] = [];

  constructor(private readonly process: ChildProcess) {
    createInterface({ input: process.stdout! }).on("line", (line) => this.waiting.shift()?.(line));
    process.on("exit", () => this.waiting.splice(0).forEach((answer) => answer(null)));
  }

  async ask(command: string): Promise<number[]> {
    const answer = new Promise<string | null>((resolve) => this.waiting.push(resolve));
    this.process.stdin!.write(`${command}\n`);
    const line = await answer;
    if (line === null) throw new Error("the C program ended");
    return line.split(" ").map(Number);
  }
}

export const handC: Engine = {
  id: "hand-c",
  title: "hand C -O3",
  precision: "f64",
  tolerance: 1e-10,
  async prepare(problem) {
    const folder = join(places().build, "native");
    mkdirSync(folder, { recursive: true });
    const binary = join(folder, process.platform === "win32" ? "hand.exe" : "hand");
    const failure = compile(binary);
    if (failure !== null) return failure;
    const file = join(folder, `${problem.id}.txt`);
    const lines = [...numbersOf(problem)].map((part) => Array.from(part).join(" "));
    writeFileSync(file, [problem.kind, ...lines].join("\n"));
    const child = spawn(binary, [file], { stdio: ["pipe", "pipe", "inherit"] });
    // the child ends when its input does, which is when this process ends
    child.unref();
    const native = new Native(child);
    return {
      async run() {
        const [value, ...gradient] = await native.ask("result");
        return { value, gradient: Float64Array.from(gradient) };
      },
      async clocked(repeats) {
        return (await native.ask(`time ${repeats}`))[0];
      },
    };
  },
};
