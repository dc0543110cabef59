/** What the loader's rewriting costs code in which nothing is traced: rewritten against plain, in two processes by turns. */
import { EngineProcess } from "../process/parent.js";
import { median } from "../stats.js";
import { loopNames, type LoopName } from "./loop-engines.js";
import type { Figure, Measurement } from "./section.js";
import type { Options } from "../options.js";

const titles: Readonly<Record<LoopName, string>> = {
  mathCalls: "calls of Math",
  arrayMethods: "array methods with callbacks",
  matrixProduct: "matrix product of nested arrays",
  sieve: "sieve over a typed array",
  dotProduct: "dot product",
  smallFunction: "small function in a loop",
  fibonacci: "recursive Fibonacci",
  rosenbrockSum: "Rosenbrock sum",
  vectors: "vector class, one allocation a turn",
  countUp: "while (i < n) i++",
};

/** Rewritten code may take this many times as long. */
const GOAL = 5;

async function ratio(name: LoopName, options: Options): Promise<Figure> {
  const figure = { what: titles[name], unit: "x plain", goal: GOAL };
  const both = ["loop-plain", "loop-rewritten"].map((engine) => new EngineProcess(engine, name, null));
  try {
    const values: number[] = [];
    for (const process of both) {
      const reply = await process.reply();
      if (reply.kind !== "ready") return { ...figure, value: null, note: "did not run" };
      values.push(reply.outcome.value);
    }
    if (values[0] !== values[1]) return { ...figure, value: null, note: "DISAGREES with plain code" };
    for (const process of both)
      await process.ask({ kind: "warm", budget: options.roundMs, limit: options.warmMs });
    const ratios: number[] = [];
    for (let round = 0; round < options.rounds; round++) {
      const ms: number[] = [0, 0];
      for (const i of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const reply = await both[i].ask({ kind: "round", budget: options.roundMs });
        if (reply.kind !== "time") return { ...figure, value: null, note: "stopped" };
        ms[i] = reply.ms;
      }
      ratios.push(ms[1] / ms[0]);
    }
    return { ...figure, value: median(ratios) };
  } finally {
    for (const process of both) process.end();
  }
}

export const loaderFactors: Measurement = async (options) => {
  const figures: Figure[] = [];
  for (const name of options.smoke ? loopNames.slice(0, 2) : loopNames)
    figures.push(await ratio(name, options));
  return figures;
};
