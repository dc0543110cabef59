import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  Replay,
  Replayed,
  forceJavaScript,
  kernels,
  replayCodes,
  type ReplayRules,
} from "../../../engine/kernels/kernels.js";
import { contribution, opcode, primitives } from "../../../engine/ops/table.js";
import { NO_OPERAND, OP_INPUT, Tape } from "../../../engine/tape/tape.js";
import { arena, hard, numbers, same } from "./helpers.js";

const codes = replayCodes(primitives.map((row) => row.name));
codes[OP_INPUT] = Replayed.given;

/** A tape as a test keeps it: the primitive of each node (null: input) and its operand references. */
interface Recorded {
  readonly tape: Tape;
  readonly operands: number[][];
  readonly inputs: number[];
}

function operation(recorded: Recorded, op: number, operands: number[]): number {
  const { tape } = recorded;
  const row = primitives[op];
  const read = (reference: number | undefined): number =>
    reference === undefined ? 0 : reference >= 0 ? tape.valueAt(reference) : tape.constants.at(~reference);
  const value = row.value(read(operands[0]), read(operands[1]), read(operands[2]));
  recorded.operands.push(operands);
  if (row.arity === 3) return tape.push(op, tape.operandList(operands), 3, value, -1, -1);
  return tape.push(op, operands[0], operands[1] ?? NO_OPERAND, value, -1, -1);
}

function input(recorded: Recorded, value: number): number {
  const id = recorded.tape.push(OP_INPUT, NO_OPERAND, NO_OPERAND, value, -1, -1);
  recorded.operands.push([]);
  recorded.inputs.push(id);
  return id;
}

function random(seed: number, inputs: number, nodes: number, hardShare: number): Recorded {
  const recorded: Recorded = { tape: new Tape(), operands: [], inputs: [] };
  const draw = numbers(seed, hardShare);
  const index = numbers(seed + 1, 0);
  const pick = (n: number): number => Math.floor(Math.abs(index() * 7919)) % n;
  for (let i = 0; i < inputs; i++) input(recorded, draw());
  for (let i = 0; i < nodes; i++) {
    const op = pick(3) === 0 ? pick(primitives.length) : pick(5);
    const operands: number[] = [];
    for (let slot = 0; slot < primitives[op].arity; slot++) {
      operands.push(pick(6) === 0 ? recorded.tape.constant(draw()) : pick(recorded.tape.length));
    }
    operation(recorded, op, operands);
  }
  return recorded;
}

const rules = ({ tape, operands }: Recorded): ReplayRules => ({
  codes,
  evaluate(node, value) {
    const [a, b, c] = operands[node].map(value);
    return primitives[tape.opAt(node)].value(a, b ?? 0, c ?? 0);
  },
  pull(node, g, value, add) {
    const [a, b, c] = operands[node].map(value);
    operands[node].forEach((reference, slot) => {
      const row = primitives[tape.opAt(node)];
      add(reference, contribution(row, slot, g, a, b ?? 0, c ?? 0, value(node)));
    });
  },
});

const columns = ({ tape }: Recorded) => ({
  length: tape.length,
  segments: tape.segments,
  constants: tape.constants.flat(),
});

describe.each(["wasm", "javascript"])("replay, %s", (backend) => {
  let mark = 0;
  beforeEach(() => {
    mark = arena.mark();
    arena.poison = true;
    forceJavaScript(backend === "javascript");
    expect(kernels().backend).toBe(backend);
  });
  afterEach(() => {
    forceJavaScript(false);
    arena.poison = false;
    arena.release(mark);
  });

  it("every primitive gets the table's value and contributions, bit for bit", () => {
    const draw = numbers(4, 0);
    const values = [...hard, ...Array.from({ length: 12 }, draw), 20, -20, 0.01, 700, -750];
    for (let op = 0; op < primitives.length; op++) {
      const row = primitives[op];
      const recorded: Recorded = { tape: new Tape(), operands: [], inputs: [] };
      const leaves = values.map((x) => input(recorded, x));
      const results: number[] = [];
      for (const a of leaves) {
        for (const b of row.arity === 1 ? [0] : leaves.filter((_, i) => i % 3 === a % 3)) {
          results.push(operation(recorded, op, [a, b, leaves[(a + b) % leaves.length]].slice(0, row.arity)));
        }
      }
      const replay = new Replay(columns(recorded), rules(recorded));
      const recordedValues = results.map((v) => recorded.tape.valueAt(v));
      for (const v of results) replay.values[v] = 12345;
      replay.forward();
      same(
        results.map((v) => replay.values[v]),
        recordedValues,
        row.name,
      );
      for (const g of [1, -2.5, 0, Infinity]) {
        for (const v of results) {
          // one node at a time, so that no sum hides a contribution
          replay.cotangents.fill(0);
          replay.cotangents[v] = g;
          replay.activate([v], (node) => recorded.operands[node]);
          replay.active.fill(0, 0, leaves.length);
          replay.reverse(v);
          const expected = new Float64Array(leaves.length);
          const [a, b, c] = recorded.operands[v].map((id) => recorded.tape.valueAt(id));
          recorded.operands[v].forEach((id, slot) => {
            expected[id] += contribution(row, slot, g, a, b ?? 0, c ?? 0, recorded.tape.valueAt(v));
          });
          same(replay.cotangents.subarray(0, leaves.length), expected, `${row.name} at ${a}, ${b}, g ${g}`);
        }
      }
      replay.free();
    }
  });

  it("random tapes: new inputs and constants give what the program would, forwards and in reverse", () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: 1, max: 5 }),
        fc.nat(200),
        fc.constantFrom(0, 0.1),
        (seed, n, m, share) => {
          const recorded = random(seed, n, m, share);
          const { tape } = recorded;
          const replay = new Replay(columns(recorded), rules(recorded));
          replay.forward();
          const all = Array.from({ length: tape.length }, (_, v) => v);
          same(
            replay.values,
            all.map((v) => tape.valueAt(v)),
            "as recorded",
          );
          const draw = numbers(seed + 7, share);
          for (const id of recorded.inputs) replay.values[id] = draw();
          const constants = Array.from(tape.constants.flat(), draw);
          constants.forEach((value, k) => replay.setConstant(k, value));
          const values = Array.from(replay.values);
          const read = (reference: number | undefined): number =>
            reference === undefined ? 0 : reference >= 0 ? values[reference] : constants[~reference];
          for (const v of all) {
            const [a, b, c] = recorded.operands[v];
            if (tape.opAt(v) !== OP_INPUT)
              values[v] = primitives[tape.opAt(v)].value(read(a), read(b), read(c));
          }
          const middle = seed % (tape.length + 1);
          replay.forward(0, middle);
          replay.forward(middle);
          same(replay.values, values, "with new inputs");

          const top = tape.length - 1;
          const bars = new Float64Array(tape.length);
          const active = new Set([top]);
          bars[top] = 1;
          for (let v = top; v >= 0; v--) {
            if (!active.has(v)) continue;
            const operands = recorded.operands[v];
            operands.forEach((reference, slot) => {
              if (reference < 0) return;
              active.add(reference);
              const row = primitives[tape.opAt(v)];
              const [a, b, c] = operands;
              bars[reference] += contribution(row, slot, bars[v], read(a), read(b), read(c), values[v]);
            });
          }
          replay.cotangents.fill(0);
          replay.cotangents[top] = 1;
          replay.activate([top], (node) => recorded.operands[node]);
          replay.reverse(top);
          for (const v of all) {
            expect(replay.active[v] === 1).toBe(active.has(v));
            if (active.has(v)) same([replay.cotangents[v]], [bars[v]], `cotangent of ${v}`);
          }
          replay.free();
        },
      ),
    );
  });

  it("runs through several segments", () => {
    const recorded: Recorded = { tape: new Tape(), operands: [], inputs: [] };
    let last = input(recorded, 1);
    const small = recorded.tape.constant(1e-5);
    const add = opcode("add");
    for (let i = 0; i < 150_000; i++) {
      recorded.operands.push([last, small]);
      last = recorded.tape.push(add, last, small, 0, -1, -1);
    }
    const replay = new Replay(columns(recorded), rules(recorded));
    replay.forward();
    let expected = 1;
    for (let i = 0; i < 150_000; i++) expected += 1e-5;
    expect(replay.values[last]).toBe(expected);
    replay.cotangents[last] = 1;
    replay.activate([last], () => []);
    replay.reverse();
    expect(replay.cotangents[0]).toBe(1);
    replay.free();
  });

  it("an error in a rule comes through, and a rule may replay a tape of its own", () => {
    const inner = random(3, 2, 20, 0);
    const outer: Recorded = { tape: new Tape(), operands: [], inputs: [] };
    const x = input(outer, 2);
    const y = operation(outer, opcode("lgamma"), [x]);
    const z = operation(outer, opcode("lgamma"), [y]);
    let calls = 0;
    const nested = new Replay(columns(outer), {
      ...rules(outer),
      evaluate: () => {
        if (calls++ > 1) throw new Error("a rule failed");
        const replay = new Replay(columns(inner), rules(inner));
        replay.forward();
        const value = replay.values[replay.length - 1];
        replay.free();
        return value;
      },
    });
    nested.forward();
    same([nested.values[z]], [inner.tape.valueAt(inner.tape.length - 1)]);
    expect(() => nested.forward()).toThrow("a rule failed");
    expect(() => nested.forward(0, 99)).toThrow(/kernel replay/);
    nested.free();
  });
});
