/**
 * Value and gradient by explicit calls against hand-written JavaScript, interleaved in one process, medians and ratios.
 * Run by `npm run bench`; CI runs it with `--smoke`, which only checks that values agree.
 */
import { add, graph, mul, sub, type GraphDefinition } from "../engine/index.js";
import { Recorder, withRecorder } from "../engine/ops/recorder.js";
import { makeInputs } from "../engine/graph/inputs.js";
import { resolveOptions } from "../engine/graph/options.js";
import { flatten } from "../engine/sweep/flat.js";
import { activeNodes, sweepOrder } from "../engine/sweep/order.js";
import { reverseSweep } from "../engine/sweep/reverse.js";
import { sweep } from "../engine/graph/queries.js";
import { Tape } from "../engine/tape/tape.js";
import { type TracedNumber, idOf, primal } from "../engine/tape/traced.js";

interface Case {
  readonly name: string;
  readonly operations: number;
  readonly definition: GraphDefinition;
  /** value and gradient written by hand */
  hand(): { value: number; gradient: number[] };
}

function chain(length: number): Case {
  const x = 1 + 1e-7;
  return {
    name: `chain of ${length.toLocaleString("en-US")}`,
    operations: length,
    definition: graph({ x }, (given) => {
      let s = given.x;
      for (let i = 0; i < length; i++) s = mul(s, given.x);
      return s;
    }) as unknown as GraphDefinition,
    hand() {
      const states = new Float64Array(length + 1);
      states[0] = x;
      for (let i = 0; i < length; i++) states[i + 1] = states[i] * x;
      let bar = 1;
      let xBar = 0;
      for (let i = length - 1; i >= 0; i--) {
        xBar += bar * states[i];
        bar *= x;
      }
      return { value: states[length], gradient: [xBar + bar] };
    },
  };
}

function rosenbrock(n: number): Case {
  const start = Array.from({ length: n }, (_, i) => (i % 2 === 0 ? -1.2 : 1));
  return {
    name: `Rosenbrock ${n.toLocaleString("en-US")}`,
    operations: 7 * (n - 1),
    definition: graph({ x: start }, ({ x }) => {
      let sum = 0;
      for (let i = 0; i + 1 < n; i++) {
        const a = sub(1, x[i]);
        const b = sub(x[i + 1], mul(x[i], x[i]));
        sum = add(sum, add(mul(a, a), mul(100, mul(b, b))));
      }
      return sum;
    }) as unknown as GraphDefinition,
    hand() {
      const gradient = new Array<number>(n).fill(0);
      let value = 0;
      for (let i = 0; i + 1 < n; i++) {
        const a = 1 - start[i];
        const b = start[i + 1] - start[i] * start[i];
        value += a * a + 100 * b * b;
        gradient[i] += -2 * a - 400 * b * start[i];
        gradient[i + 1] += 200 * b;
      }
      return { value, gradient };
    },
  };
}

/** Record and sweep without making the trace: what a library call costs. */
function engine(definition: GraphDefinition): { value: number; gradient: number[] } {
  const recorder = new Recorder(new Tape(), null);
  const settings = resolveOptions(definition, {});
  let inputs: number[] = [];
  const output = withRecorder(recorder, () => {
    const made = makeInputs(recorder, definition, settings.set);
    inputs = made.infos.flatMap(({ first, count }) => Array.from({ length: count }, (_, i) => first + i));
    return (definition.fn as (given: unknown) => unknown)(made.argument);
  }) as unknown as TracedNumber;
  const flat = flatten(recorder.tape);
  const active = activeNodes(flat, [idOf(output)]);
  const order = sweepOrder(flat, active, [idOf(output)], "tape", String);
  const { cotangent } = reverseSweep(flat, {
    order,
    seeds: [{ node: idOf(output), cotangent: 1 }],
    accumulation: { kind: "sum" },
    round: null,
    customRules: recorder.customRules,
    assigns: null,
  });
  return { value: primal(output), gradient: inputs.map((v) => cotangent[v]) };
}

function median(times: number[]): number {
  return times.sort((a, b) => a - b)[times.length >> 1];
}

function agree(a: { value: number; gradient: number[] }, b: { value: number; gradient: number[] }): boolean {
  const near = (x: number, y: number): boolean =>
    Math.abs(x - y) <= 1e-9 * Math.max(1, Math.abs(x), Math.abs(y));
  return near(a.value, b.value) && a.gradient.every((x, i) => near(x, b.gradient[i]));
}

const smoke = process.argv.includes("--smoke");
const cases = [chain(3_000), rosenbrock(10_000), chain(300_000)];
let failed = 0;
if (!smoke) console.log("case                      hand ms   engine ms   ratio   with trace ms   ns a node");
for (const item of cases) {
  if (!agree(item.hand(), engine(item.definition))) {
    failed++;
    console.log(`${item.name}: the engine and the hand-written gradient disagree`);
    continue;
  }
  if (smoke) {
    console.log(`${item.name}: values agree`);
    continue;
  }
  const rounds = item.operations > 100_000 ? 7 : 25;
  const times = { hand: [] as number[], engine: [] as number[], trace: [] as number[] };
  const time = (list: number[], work: () => unknown): void => {
    const start = performance.now();
    work();
    list.push(performance.now() - start);
  };
  for (let round = 0; round < rounds; round++) {
    time(times.hand, () => item.hand());
    time(times.engine, () => engine(item.definition));
    if (round % 3 === 0) time(times.trace, () => sweep(item.definition, { order: "tape" }));
  }
  const hand = median(times.hand);
  const ours = median(times.engine);
  console.log(
    `${item.name.padEnd(24)} ${hand.toFixed(3).padStart(8)} ${ours.toFixed(3).padStart(11)} ${(ours / hand).toFixed(1).padStart(7)} ${median(times.trace).toFixed(2).padStart(15)} ${((ours * 1e6) / item.operations).toFixed(0).padStart(11)}`,
  );
}
if (failed > 0) process.exitCode = 1;
