/** Output cotangents and input tangents of a query inside a graph: numbers and arrays that may be traced. */
import type { ArrayOperand } from "../ops/array/recorder.js";
import { RecordingAlgebra } from "../ops/array/recording.js";
import { sameShape, shapeText, type Shape } from "../tape/ndarray.js";
import { isTensor } from "../tape/tensor.js";
import { isTraced, type Operand } from "../tape/traced.js";
import { BacksweepError } from "../trace/failure.js";
import type { OutputInfo } from "../trace/trace.js";
import { operandOf } from "./array-calls.js";
import { describe } from "./definition.js";
import { checkShape, namedInputs, numbersOf, type Direction } from "./directions.js";
import { isArrayInput } from "./inputs.js";
import { dependentNode, type NestedRun } from "./nested-run.js";

function isOperand(x: unknown): x is Operand {
  return typeof x === "number" || isTraced(x);
}

/** Operations on seeds, recorded where the query stands. */
export function seedAlgebra({ recorder, site, region }: NestedRun): RecordingAlgebra {
  const k = new RecordingAlgebra(recorder);
  k.site = site;
  k.scope = region.row();
  return k;
}

/** Adds a seed to a node's; a node is seeded twice where it is returned twice. */
export function addSeed(
  run: NestedRun,
  seeds: Map<number, ArrayOperand>,
  node: number,
  seed: ArrayOperand,
): void {
  const before = seeds.get(node);
  if (before === undefined) seeds.set(node, seed);
  else seeds.set(node, seedAlgebra(run).add(before, seed));
}

/** Output cotangent by node, summed where a node is returned twice: as it is for one output, else by key or index. */
export function seedsOf(run: NestedRun, cotangent: unknown): Map<number, ArrayOperand> {
  const { outputs } = run;
  const seeds = new Map<number, ArrayOperand>();
  for (const output of outputs) {
    const { key } = output;
    const whole = outputs.length === 1 && (key === null || isOperand(cotangent) || isTensor(cotangent));
    const given: unknown = whole
      ? cotangent
      : key !== null && typeof cotangent === "object" && cotangent !== null
        ? (cotangent as Record<string, unknown>)[key]
        : undefined;
    const seed = seedOf(run, output, given);
    const node = dependentNode(run, output);
    if (node >= 0) addSeed(run, seeds, node, seed);
  }
  return seeds;
}

/** The seed of one output, of the output's shape; a number is it for every element. */
function seedOf(run: NestedRun, { key, array }: OutputInfo, given: unknown): ArrayOperand {
  const { site } = run;
  const where = key === null ? "the output" : `output ${key}`;
  const refuse = (what: string): BacksweepError =>
    new BacksweepError("option", `vjp: the cotangent of ${where} is ${what}`, site);
  if (array === undefined) {
    if (isOperand(given)) return given;
    throw refuse(`${isTensor(given) ? "a Tensor" : describe(given)}, not a number`);
  }
  const { shape } = array;
  if (isOperand(given)) return seedAlgebra(run).broadcastTo(given, shape);
  if (!isArrayLike(given)) throw refuse(`${describe(given)}, not an array of shape ${shapeText(shape)}`);
  return ofShape(operandOf(given, "vjp", 0, site), shape, (found) =>
    refuse(`of shape ${shapeText(found)}, the output of ${shapeText(shape)}`),
  );
}

function isArrayLike(x: unknown): boolean {
  return isArrayInput(x) || Array.isArray(x);
}

function ofShape(x: ArrayOperand, shape: Shape, refuse: (found: Shape) => Error): ArrayOperand {
  const found = isTensor(x) ? x.shape : [];
  if (!sameShape(found, shape)) throw refuse(found);
  return x;
}

/** Input tangent by node. */
export function readTangents(run: NestedRun, direction: Direction): Map<number, ArrayOperand> {
  const out = new Map<number, ArrayOperand>();
  for (const [info, given] of namedInputs(direction, run.inputs, "jvp")) {
    if (info.tensor !== true) {
      numbersOf(given, info, "jvp", isOperand).forEach((t, i) => out.set(info.first + i, t));
      continue;
    }
    if (!isOperand(given) && !isArrayLike(given)) {
      throw new BacksweepError(
        "option",
        `jvp: the direction of "${info.name}" is ${describe(given)}, not an array of shape ${shapeText(info.shape)}`,
        run.site,
      );
    }
    const tangent = operandOf(given, "jvp", 0, run.site);
    checkShape(isTensor(tangent) ? tangent.shape : [], info, "jvp");
    out.set(info.first, tangent);
  }
  return out;
}
