/**
 * One variable for all operands of an operation: closures that are made in a loop over the operands and share what the loop
 * declares outside of its body (`var`) all read what the last turn has left. Each operation by itself then looks wrong, and
 * all of them in the same way.
 */
import { diagnosis, type Context, type Diagnosis } from "./diagnosis.js";
import type { Foreign } from "./engine.js";
import { truthOf } from "./graph.js";
import { single } from "./probes.js";
import { CaseStream } from "./stream.js";

const STREAM = 0x71000000;

interface Paid {
  readonly got: readonly number[];
  readonly want: readonly number[];
}

const near = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-4 * Math.max(Math.abs(a), Math.abs(b)) + 1e-12;

const nothingBefore = (got: readonly number[]): boolean => got.slice(0, -1).every((x) => x === 0);

/** What closures that share a loop's variables pay, by which of them are shared. */
const signatures: readonly { readonly shared: string; holds(paid: Paid): boolean }[] = [
  {
    shared: "the operand and the local derivative",
    holds: ({ got, want }) =>
      nothingBefore(got) && near(got[got.length - 1], want[want.length - 1] * want.length),
  },
  {
    shared: "the operand",
    holds: ({ got, want }) =>
      nothingBefore(got) &&
      near(
        got[got.length - 1],
        want.reduce((a, b) => a + b, 0),
      ),
  },
  {
    shared: "the local derivative",
    holds: ({ got, want }) => got.every((x) => near(x, want[want.length - 1])),
  },
];

/** What each operation of more than one operand pays by itself; null where one gives nothing that can be compared. */
function paidByEach(foreign: Foreign, seed: number): Paid[] {
  return foreign.operations.flatMap((row, op) => {
    if (row.kind !== "elementwise" || row.arity < 2 || row.value === null) return [];
    const graph = single(foreign, op, [foreign.shape], new CaseStream(seed, STREAM + op));
    if (graph === null) return [];
    const outcome = foreign.run(graph);
    if (outcome.trouble !== null) return [];
    const truth = truthOf(graph, foreign.operations);
    const first = (v: number): number => outcome.gradient[v]?.[0] ?? 0;
    return [
      { got: graph.inputs.map((_, v) => first(v)), want: graph.inputs.map((_, v) => truth.cotangent[v][0]) },
    ];
  });
}

/** Two operations at least are wrong in this way, and none is right: of one alone a wrong rule is as likely. */
export function oneSlotForOperands({ foreign, seed }: Context): Diagnosis | null {
  const paid = paidByEach(foreign, seed);
  const wrong = paid.filter(({ got, want }) => got.some((x, k) => !near(x, want[k])));
  if (wrong.length < 2) return null;
  const found = signatures.find(({ holds }) => paid.every(holds));
  if (found === undefined) return null;
  return diagnosis(
    "one slot per loop",
    `${found.shared}, kept once for all operands of an operation: what the last one left is read for each`,
    [`${wrong.length} operations by themselves pay their operands as if each were the last`],
  );
}
