/** Output cotangents and input tangents of a query inside a graph: numbers that may be traced. */
import { isTraced, type Operand } from "../tape/traced.js";
import { BacksweepError } from "../trace/failure.js";
import { describe } from "./definition.js";
import { directionOf, type Direction } from "./directions.js";
import { dependentNode, type NestedRun } from "./nested-run.js";

function isOperand(x: unknown): x is Operand {
  return typeof x === "number" || isTraced(x);
}

/** Output cotangent by node, summed where a node is returned twice: a number for one output, else by key or index. */
export function seedsOf(run: NestedRun, cotangent: unknown): Map<number, Operand> {
  const { outputs, recorder, site } = run;
  const seeds = new Map<number, Operand>();
  for (const output of outputs) {
    const { key } = output;
    const seed: unknown =
      isOperand(cotangent) && outputs.length === 1
        ? cotangent
        : key !== null && typeof cotangent === "object" && cotangent !== null
          ? (cotangent as Record<string, unknown>)[key]
          : undefined;
    if (!isOperand(seed)) {
      const where = key === null ? "the output" : `output ${key}`;
      throw new BacksweepError(
        "option",
        `vjp: the cotangent of ${where} is ${describe(seed)}, not a number`,
        site,
      );
    }
    const node = dependentNode(run, output);
    if (node < 0) continue;
    const before = seeds.get(node);
    if (before === undefined) seeds.set(node, seed);
    else if (!isTraced(before) && !isTraced(seed)) seeds.set(node, before + seed);
    else seeds.set(node, recorder.apply("add", [before, seed], site, run.region.row()));
  }
  return seeds;
}

/** Input tangent by node. */
export function readTangents(run: NestedRun, direction: Direction): Map<number, Operand> {
  return new Map(directionOf<Operand>(direction, run.inputs, "jvp", isOperand));
}
