/**
 * A view says nothing false of an engine that is audited: engines with random faults, whose every payment is known, on
 * random graphs. What they wrote is all that is told; the tape of what they really did is compared with what is shown.
 */
import fc from "fast-check";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { foreignTrace, traceNodes } from "../../../engine/audit/counterpart.js";
import type { SweepTape } from "../../../engine/audit/definition.js";
import { foreignSweep } from "../../../engine/audit/foreign-sweep.js";
import { randomAuditGraph } from "../../../engine/audit/generate.js";
import { judge, type Judged } from "../../../engine/audit/judge.js";
import { Listener } from "../../../engine/audit/listen.js";
import { sweepOperations } from "../../../engine/audit/operations.js";
import { describeSmallest } from "../../../engine/audit/smallest.js";
import { CaseStream } from "../../../engine/audit/stream.js";
import type { Foreign } from "../../../engine/audit/engine.js";
import { factsOf } from "../../../engine/report/facts.js";
import { observed } from "../../../engine/tape/writes.js";
import { Timeline } from "../../../engine/timeline/timeline.js";
import type { Runner } from "../../../runner/client.js";
import { buildForTest, quietRunner } from "../runner/built.js";
import { falseStatements } from "./statements.js";

let runner: Runner;
const folder = mkdtempSync(join(tmpdir(), "backsweep-told-"));
beforeAll(async () => {
  runner = quietRunner(await buildForTest());
});
afterAll(() => {
  runner?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** What goes wrong with one payment, by a number below 1. */
interface Faults {
  readonly seed: number;
  /** assigned where it is due to be added; skipped; paid twice; paid with another factor */
  readonly assigns: number;
  readonly skips: number;
  readonly twice: number;
  readonly scaled: number;
  /** stands in every slot before the sweep */
  readonly leftover: number;
  /** its writes are not seen, as those of a package; a counter beside the gradients is counted down */
  readonly hidden: boolean;
  readonly counter: boolean;
}

interface Payment {
  readonly from: number;
  readonly slot: number;
  readonly value: number;
  kept: boolean;
}

/** A sweep with these faults, that writes down what it does. */
function sweepWith(faults: Faults, log: Map<number, Payment[]>): (tape: SweepTape, seed: number) => number[] {
  return (tape, seed) => {
    const stream = new CaseStream(faults.seed, 1);
    const bar = tape.map(() => faults.leftover);
    const pending = tape.map(() => 5);
    const wrote = (object: number[], key: number, operator: string, value: number, adds = false): void => {
      // a statement is a place in the source: one that assigns, one that adds, one that reads and assigns
      const write = {
        site: operator === "=" ? (adds ? 2 : 0) : 1,
        operator,
        value,
        object,
        key,
        before: object[key],
      };
      if (!faults.hidden) observed.sink?.write(write);
      object[key] = operator === "=" ? value : object[key] + value;
    };
    bar[tape.length - 1] = seed;
    for (let i = tape.length - 1; i >= 0; i--)
      tape[i].parents.forEach(([p, local], slot) => {
        if (faults.counter) wrote(pending, p, "+=", -1);
        if (stream.chance(faults.skips)) return;
        const times = stream.chance(faults.twice) ? 2 : 1;
        for (let k = 0; k < times; k++) {
          const value = bar[i] * local * (stream.chance(faults.scaled) ? 1.5 : 1);
          const paid = log.get(p) ?? [];
          log.set(p, paid);
          const assigns = stream.chance(faults.assigns);
          if (assigns) for (const before of paid) before.kept = false;
          // the audit runs it again where it has a question, and listens once
          if (observed.sink !== null) paid.push({ from: i, slot, value, kept: true });
          // both ways in which engines add are seen
          if (assigns) wrote(bar, p, "=", value);
          else if (stream.chance(0.5)) wrote(bar, p, "+=", value);
          else wrote(bar, p, "=", bar[p] + value, true);
        }
      });
    return bar;
  };
}

const share = fc.constantFrom(0, 0, 0.3, 1);
const faulty: fc.Arbitrary<Faults> = fc.record({
  seed: fc.nat(),
  assigns: share,
  skips: fc.constantFrom(0, 0, 0.3),
  twice: fc.constantFrom(0, 0, 0.3),
  scaled: fc.constantFrom(0, 0, 0.3),
  leftover: fc.constantFrom(0, 0, 0.75),
  hidden: fc.boolean(),
  counter: fc.boolean(),
});

function failing(faults: Faults, log: Map<number, Payment[]>, item: number): [Foreign, Judged] | null {
  const sweep = sweepWith(faults, log);
  const foreign = foreignSweep({ form: "sweep", sweep, options: {}, site: -1 } as never, sweepOperations);
  const limits = { operations: sweepOperations, shapes: [[]], lastIsOutput: true, seeds: [1] };
  const graph = randomAuditGraph(new CaseStream(faults.seed, 2), item, limits);
  const judged = judge(foreign, graph, foreign.run(graph, { listener: new Listener(), inner: true }));
  return judged.symptom === null || graph.inputs.length + graph.steps.length > 12 ? null : [foreign, judged];
}

const near = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b));

it("tells of random engines only what they did", async () => {
  const seen = { lost: 0, missing: 0, unknown: 0, several: 0, graphs: 0 };
  await fc.assert(
    fc.asyncProperty(faulty, fc.nat(40), async (faults, item) => {
      const log = new Map<number, Payment[]>();
      const found = failing(faults, log, item);
      if (found === null) return;
      const smallest = describeSmallest(found[0], found[1], null);
      const file = join(folder, "smallest.graph.ts");
      writeFileSync(file, smallest.definition);
      const limits = { timeoutMs: 60_000, memoryBytes: 2 ** 29, allowImports: false, layout: false };
      const answer = await runner.run({ ...limits, file, root: folder, options: { order: "tape" } });
      if (!answer.ok) throw new Error(answer.failure.message);
      const at = traceNodes(answer.trace, smallest)!;
      const ours = new Timeline(answer.trace);
      const theirs = new Timeline(foreignTrace(answer.trace, smallest)!);
      expect(falseStatements(theirs, ours)).toEqual([]);
      seen.graphs++;
      smallest.nodes.forEach((node, v) => {
        if (v === smallest.output || ours.finalStep(at[v]) < 0) return;
        const facts = factsOf(theirs, at[v], theirs.steps);
        if (typeof node.got === "number") expect(near(facts.cotangent as number, node.got)).toBe(true);
        for (const slot of facts.parts.flatMap((part) => part.slots)) {
          const from = at.indexOf(slot.child);
          const did = (log.get(v) ?? []).filter((paid) => paid.from === from && paid.slot === slot.slot);
          const kept = did.filter((paid) => paid.kept);
          // of two operands that owe the same it does not matter which was paid
          const others = (value: number): boolean =>
            (log.get(v) ?? []).some(
              (paid) => paid.from === from && paid.slot !== slot.slot && near(paid.value, value),
            ) ||
            facts.parts.some(
              (part) =>
                part.child === slot.child &&
                part.slots.some((s) => s !== slot && near(s.value as number, value)),
            );
          if (slot.unknown) seen.unknown++;
          // not seen, and concluded from right cotangents on both sides
          else if (slot.value !== undefined && slot.payments.length === 0) continue;
          else if (slot.value === undefined) {
            const unsaid = did.filter(({ value }) => !near(value, 0) && !others(value));
            expect(unsaid, "what is said to be missing").toEqual([]);
            seen.missing++;
          } else if (did.every(({ value }) => near(value, 0)))
            expect(near(slot.value as number, 0) || others(slot.value as number)).toBe(true);
          else {
            const stayed = (kept.length > 0 ? kept : did.slice(-1)).reduce(
              (sum, { value }) => sum + value,
              0,
            );
            expect(near(slot.value as number, stayed), `${String(slot.value)} for ${stayed}`).toBe(true);
            // of two uses that pay the same one is lost: which, an order tells that is not seen
            const alike = (log.get(v) ?? []).filter((paid) => near(paid.value, slot.value as number));
            const fates = [kept.length > 0, ...alike.map((paid) => paid.kept)];
            expect(fates, "what stayed").toContain(!slot.lost);
            if (slot.lost) seen.lost++;
            if (slot.payments.length > 1) seen.several++;
          }
        }
      });
    }),
    { numRuns: 250 },
  );
  // each of the kinds was there
  for (const [kind, count] of Object.entries(seen)) expect(count, kind).toBeGreaterThan(3);
});
