/**
 * Operators of rewritten code in front of lean memory: whatever their operands are, they answer and record what the general way
 * answers and records on the tape, bit by bit, and with the same errors.
 */
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import * as runtime from "../../../engine/compile/runtime/index.js";
import { graph } from "../../../engine/index.js";
import type { GraphDefinition } from "../../../engine/graph/definition.js";
import { subjectOf } from "../../../engine/graph/complete.js";
import { recordLeased } from "../../../engine/graph/leased.js";
import { bareRecorder, record } from "../../../engine/graph/record.js";
import { activeRecorder, recording } from "../../../engine/ops/active.js";
import { primitives } from "../../../engine/ops/table.js";
import { call } from "../../../engine/tape/callsite.js";
import type { Tape } from "../../../engine/tape/tape.js";
import { isTraced, primal } from "../../../engine/tape/traced.js";

const uninstall = runtime.installRealm(globalThis);
afterAll(uninstall);

type Operator = (a: unknown, b: unknown, site: number, scope: never) => unknown;
const binary = ["add", "sub", "mul", "div", "mod", "pow"] as const;
const functions =
  "abs sign exp expm1 log log1p log2 log10 sqrt cbrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh".split(
    " ",
  );
const scope = { base: 1_000, row: () => 0 } as never;

/** A traced number kept from a recording that is over. */
let stale: unknown;
recordLeased(
  subjectOf(
    graph({ x: 7 }, ({ x }) => {
      stale = x;
      return x;
    }) as unknown as GraphDefinition,
    undefined,
  ),
  false,
).done();

/** An operand: how it is made from the inputs and what was recorded before it. */
type Operand = (values: readonly unknown[]) => unknown;
const operand: fc.Arbitrary<Operand> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.nat().map(
      (n): Operand =>
        (values) =>
          values[n % values.length],
    ),
  },
  {
    weight: 4,
    arbitrary: fc.double().map(
      (x): Operand =>
        () =>
          x,
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Operand>(
      () => -0,
      () => 0,
      () => NaN,
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Operand>(
      () => "3",
      () => "",
      () => 5n,
      () => true,
      () => null,
      () => undefined,
      () => Symbol.iterator,
      () => [2],
      () => new Date(0),
      () => stale,
      (values) => ({ valueOf: () => values[0] }),
    ),
  },
);
interface Step {
  readonly op: string;
  readonly a: Operand;
  readonly b: Operand;
}
const step: fc.Arbitrary<Step> = fc.record({
  op: fc.constantFrom(...binary, "neg", ...functions),
  a: operand,
  b: operand,
});

/** Performs the steps; what each answered goes to `log`, and what is traced may be an operand of later ones. */
function perform(steps: readonly Step[], inputs: readonly unknown[], log: unknown[]): unknown {
  const values: unknown[] = [...inputs];
  steps.forEach(({ op, a, b }, i) => {
    try {
      const left = a(values);
      let answer: unknown;
      if (op === "neg") answer = runtime.neg(left, i, scope);
      else if ((binary as readonly string[]).includes(op))
        answer = (runtime as unknown as Record<string, Operator>)[op](left, b(values), i, scope);
      else {
        call.site = 2_000 + i;
        call.scope = null;
        answer = (Math as unknown as Record<string, (x: unknown) => unknown>)[op](left);
      }
      if (isTraced(answer)) values.push(answer);
      log.push(isTraced(answer) ? ["traced", primal(answer)] : answer);
    } catch (error) {
      log.push(error instanceof Error ? `${error.name}: ${error.message}` : error);
    }
  });
  return values.findLast(isTraced) ?? inputs[0];
}

/** The nodes of a tape; constants by value. */
function rows(tape: Tape): unknown[] {
  const of = (x: number): unknown => (x >= 0 ? `node ${x}` : tape.constants.at(~x));
  return Array.from({ length: tape.length }, (_, id) => {
    const op = tape.opAt(id);
    const { a, b } = tape.segments[0];
    const arity = primitives[op]?.arity ?? 0;
    const operands = [a[id], b[id]].slice(0, arity).map(of);
    return [op, operands, tape.valueAt(id), tape.siteAt(id)];
  });
}

function definitionOf(steps: readonly Step[], log: unknown[]): GraphDefinition {
  // the definition's own site is that of the call in progress
  call.site = -1;
  const definition = graph(
    { x: 1.25, y: -0.5, z: 3 },
    ({ x, y, z }) => perform(steps, [x, y, z], log) as number,
  );
  return definition as unknown as GraphDefinition;
}

describe("operators in front of lean memory", () => {
  it("answer and record what the general way does", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
        const general: unknown[] = [];
        const kept = record(subjectOf(definitionOf(steps, general), undefined), {}, bareRecorder);
        const lean: unknown[] = [];
        const leased = recordLeased(subjectOf(definitionOf(steps, lean), undefined), false);
        try {
          expect(leased.recorded.recorder.lean).not.toBeNull();
          expect(lean).toEqual(general);
          expect(rows(leased.recorded.recorder.tape)).toEqual(rows(kept.recorder.tape));
        } finally {
          leased.done();
        }
      }),
      { numRuns: 400 },
    );
  });

  it("go on on the tape once lean memory was left in the middle", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), fc.nat(30), (steps, at) => {
        const [whole, parted] = [false, true].map((settles) => {
          const log: unknown[] = [];
          const middle: Operand = (values) => {
            if (settles) activeRecorder()!.settle();
            return values[0];
          };
          const settling: Step = { op: "add", a: middle, b: () => 1 };
          const definition = definitionOf(steps.toSpliced(at, 0, settling), log);
          const leased = recordLeased(subjectOf(definition, undefined), false);
          expect(leased.recorded.recorder.lean === null).toBe(settles);
          const recorded = [log, rows(leased.recorded.recorder.tape)];
          leased.done();
          return recorded;
        });
        expect(parted).toEqual(whole);
      }),
      { numRuns: 200 },
    );
    expect(recording.lean).toBeNull();
  });
});
