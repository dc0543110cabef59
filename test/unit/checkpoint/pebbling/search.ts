/** The pebble game by breadth-first search over all configurations: slow, and independent of every recurrence. */

/** Fewest moves until `done(configuration)`; configurations are bit masks of nodes 1..n, bit 0 being node 1. -1: impossible. */
export function fewestMoves(n: number, pebbles: number, done: (on: number) => boolean): number {
  const seen = new Uint8Array(1 << n);
  let front = [0];
  seen[0] = 1;
  for (let moves = 0; front.length > 0; moves++) {
    const next: number[] = [];
    for (const on of front) {
      if (done(on)) return moves;
      for (const to of neighbours(on, n, pebbles)) {
        if (seen[to] === 1) continue;
        seen[to] = 1;
        next.push(to);
      }
    }
    front = next;
  }
  return -1;
}

/** Fewest moves of a reversal of `steps` steps: states steps - 1, ..., 1 pebbled in this order, and everything taken away at the end. */
export function fewestReversal(steps: number, pebbles: number): number {
  const n = steps - 1;
  // a state is the configuration and the node waited for, which goes down for nothing when it is pebbled
  const settle = (on: number, wanted: number): number => {
    while (wanted > 0 && (on & (1 << (wanted - 1))) !== 0) wanted--;
    return wanted;
  };
  const seen = new Uint8Array((1 << n) * (n + 1));
  let front: [number, number][] = [[0, n]];
  for (let moves = 0; front.length > 0; moves++) {
    const next: [number, number][] = [];
    for (const [on, wanted] of front) {
      if (on === 0 && wanted === 0) return moves;
      for (const to of neighbours(on, n, pebbles)) {
        const left = settle(to, wanted);
        const key = left * (1 << n) + to;
        if (seen[key] === 1) continue;
        seen[key] = 1;
        next.push([to, left]);
      }
    }
    front = next;
  }
  return -1;
}

function* neighbours(on: number, n: number, pebbles: number): Generator<number> {
  let count = 0;
  for (let bits = on; bits !== 0; bits &= bits - 1) count++;
  for (let i = 0; i < n; i++) {
    if (i > 0 && (on & (1 << (i - 1))) === 0) continue;
    if ((on & (1 << i)) !== 0 || count < pebbles) yield on ^ (1 << i);
  }
}
