/** Bare sweeps over a tape that are right. */
import { auditSweep } from "backsweep";

export const backwards = auditSweep((tape, seed) => {
  const bar = new Float64Array(tape.length);
  bar[tape.length - 1] = seed;
  for (let i = tape.length - 1; i >= 0; i--) {
    for (const [p, local] of tape[i].parents) bar[p] += bar[i] * local;
  }
  return bar;
});

export const pulled = auditSweep((tape, seed) => {
  const uses: [number, number][][] = tape.map(() => []);
  tape.forEach(({ parents }, i) => parents.forEach(([p, local]) => uses[p].push([i, local])));
  const bar = new Map<number, number>();
  for (let i = tape.length - 1; i >= 0; i--) {
    const own = i === tape.length - 1 ? seed : 0;
    bar.set(
      i,
      uses[i].reduce((sum, [child, local]) => sum + local * bar.get(child)!, own),
    );
  }
  return bar;
});
