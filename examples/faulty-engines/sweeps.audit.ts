/** Bare sweeps over a tape, each with one fault. */
import { auditSweep, type SweepTape } from "backsweep";

const zeros = (tape: SweepTape): number[] => tape.map(() => 0);

export const overwritten = auditSweep((tape, seed) => {
  const bar = zeros(tape);
  bar[tape.length - 1] = seed;
  for (let i = tape.length - 1; i >= 0; i--) {
    for (const [p, local] of tape[i].parents) bar[p] = bar[i] * local;
  }
  return bar;
});

export const notReversed = auditSweep((tape, seed) => {
  const bar = zeros(tape);
  bar[tape.length - 1] = seed;
  for (let i = 0; i < tape.length; i++) {
    for (const [p, local] of tape[i].parents) bar[p] += bar[i] * local;
  }
  return bar;
});

export const firstMet = auditSweep((tape, seed) => {
  const bar = zeros(tape);
  const seen = new Set<number>();
  const open = [tape.length - 1];
  bar[tape.length - 1] = seed;
  while (open.length > 0) {
    const i = open.pop()!;
    if (seen.has(i)) continue;
    seen.add(i);
    for (const [p, local] of tape[i].parents) {
      bar[p] += bar[i] * local;
      open.push(p);
    }
  }
  return bar;
});

export const everyArrival = auditSweep((tape, seed) => {
  const bar = zeros(tape);
  const queue = [tape.length - 1];
  bar[tape.length - 1] = seed;
  for (let i = queue.shift(); i !== undefined; i = queue.shift()) {
    for (const [p, local] of tape[i].parents) {
      bar[p] += bar[i] * local;
      queue.push(p);
    }
  }
  return bar;
});

export const firstParentOnly = auditSweep((tape, seed) => {
  const bar = zeros(tape);
  bar[tape.length - 1] = seed;
  for (let i = tape.length - 1; i >= 0; i--) {
    const [first] = tape[i].parents;
    if (first !== undefined) bar[first[0]] += bar[i] * first[1];
  }
  return bar;
});

const kept: number[] = [];

export const neverCleared = auditSweep((tape, seed) => {
  while (kept.length < tape.length) kept.push(0);
  kept[tape.length - 1] = seed;
  for (let i = tape.length - 1; i >= 0; i--) {
    for (const [p, local] of tape[i].parents) kept[p] += kept[i] * local;
  }
  return kept.slice(0, tape.length);
});

export const jitter = auditSweep((tape, seed) => {
  const bar = zeros(tape);
  bar[tape.length - 1] = seed;
  for (let i = tape.length - 1; i >= 0; i--) {
    for (const [p, local] of tape[i].parents) bar[p] += Math.random() < 0.1 ? 0 : bar[i] * local;
  }
  return bar;
});

export const magnitudes = auditSweep((tape, seed) => {
  const bar = zeros(tape);
  bar[tape.length - 1] = seed;
  for (let i = tape.length - 1; i >= 0; i--) {
    for (const [p, local] of tape[i].parents) bar[p] += bar[i] * Math.abs(local);
  }
  return bar;
});

export const everyPath = auditSweep((tape, seed) => {
  const bar = zeros(tape);
  const receive = (i: number, part: number): void => {
    bar[i] += part;
    for (const [p, local] of tape[i].parents) receive(p, part * local);
  };
  receive(tape.length - 1, seed);
  return bar;
});
