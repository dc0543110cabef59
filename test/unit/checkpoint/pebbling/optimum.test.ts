import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bennettCounts,
  cleanPebbles,
  halving,
  Optimum,
  play,
  reachPebbles,
  referee,
  reversalPebbles,
  type Game,
} from "../../../../engine/checkpoint/pebbling/index.js";
import { fewestMoves, fewestReversal } from "./search.js";

interface Row {
  readonly n: number;
  readonly pebbles: number;
  readonly moves_clean: number;
  readonly moves_reach: number;
}
const { pebble: rows } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../fixtures/checkpointing/pebble.json"), "utf8"),
) as { pebble: Row[] };

const finite = (moves: number): number => (moves === Infinity ? -1 : moves);

describe("the pebble game", () => {
  it("has the reference counts in all rows", () => {
    expect(rows.length).toBe(93);
    const optimum = new Optimum(18, 18);
    for (const row of rows) {
      expect({
        ...row,
        moves_clean: finite(optimum.moves("clean", row.n, row.pebbles)),
        moves_reach: finite(optimum.moves("reach", row.n, row.pebbles)),
      }).toEqual(row);
    }
  });

  it("is played with the reference counts in all rows", () => {
    const optimum = new Optimum(18, 18);
    for (const { n, pebbles, moves_clean, moves_reach } of rows) {
      if (moves_clean >= 0) {
        const clean = referee(play("clean", n, pebbles, optimum));
        expect([clean.moves, clean.left]).toEqual([moves_clean, [n]]);
        expect(clean.peak).toBeLessThanOrEqual(pebbles);
      }
      if (moves_reach >= 0) {
        const reach = referee(play("reach", n, pebbles, optimum));
        expect(reach.moves).toBe(moves_reach);
        expect(reach.left).toContain(n);
        expect(reach.peak).toBeLessThanOrEqual(pebbles);
      }
    }
  });

  it("needs no fewer moves than a search over all configurations finds", () => {
    const optimum = new Optimum(12, 12);
    for (let n = 1; n <= 12; n++) {
      for (let p = 1; p <= n; p++) {
        const top = 1 << (n - 1);
        expect([n, p, finite(optimum.moves("clean", n, p))]).toEqual([
          n,
          p,
          fewestMoves(n, p, (on) => on === top),
        ]);
        expect([n, p, finite(optimum.moves("reach", n, p))]).toEqual([
          n,
          p,
          fewestMoves(n, p, (on) => (on & top) !== 0),
        ]);
      }
    }
  });

  it("reverses a chain in as few moves as a search over all configurations", () => {
    const optimum = new Optimum(13, 13);
    for (let steps = 1; steps <= 13; steps++) {
      for (let p = 1; p <= 12; p++)
        expect([steps, p, finite(optimum.moves("reverse", steps, p))]).toEqual([
          steps,
          p,
          fewestReversal(steps, p),
        ]);
    }
  });

  it("merges to the minimum over every cut", () => {
    const limit = 160;
    const optimum = new Optimum(limit, 12);
    const F = (n: number, s: number): number => optimum.moves("clean", n, s);
    const recurrence: Record<Game, (n: number, m: number, s: number) => number> = {
      clean: (n, m, s) => F(m, s) + F(n - m, s - 1) + F(m, s - 1),
      reach: (n, m, s) => F(m, s) + optimum.moves("reach", n - m, s - 1),
      reverse: (n, m, s) => F(m, s) + optimum.moves("reverse", n - m, s - 1) + optimum.moves("top", m, s),
      top: (n, m, s) => F(m, s - 1) + optimum.moves("top", n - m, s - 1) + optimum.moves("top", m, s),
    };
    for (const game of Object.keys(recurrence) as Game[]) {
      for (let s = 1; s <= 12; s++) {
        for (let n = 2; n <= limit; n++) {
          let best = Infinity;
          for (let m = 1; m < n; m++) best = Math.min(best, recurrence[game](n, m, s));
          expect([game, n, s, optimum.moves(game, n, s)]).toEqual([game, n, s, best]);
          if (best < Infinity) expect(recurrence[game](n, optimum.split(game, n, s), s)).toBe(best);
        }
      }
    }
  });

  it("plays every game legally with the counted moves and pebbles", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 }),
        fc.nat(6),
        fc.constantFrom<Game>("clean", "reach", "reverse"),
        (n, more, game) => {
          const least = {
            clean: cleanPebbles,
            reach: reachPebbles,
            reverse: reversalPebbles,
            top: cleanPebbles,
          };
          const p = least[game](n) + more;
          const optimum = new Optimum(n, p);
          expect(optimum.moves(game, n, p)).toBeLessThan(Infinity);
          if (p - more > 1) expect(optimum.moves(game, n, p - more - 1)).toBe(Infinity);
          for (const [strategy, counts] of [
            [optimum, { moves: optimum.moves(game, n, p), pebbles: p }],
            [halving, bennettCounts(game, n)],
          ] as const) {
            const played = referee(play(game, n, p, strategy));
            expect(played.moves).toBe(counts.moves);
            if (strategy === halving) expect(played.peak).toBe(counts.pebbles);
            else expect(played.peak).toBeLessThanOrEqual(p);
            if (game === "reverse") {
              expect(played.left).toEqual([]);
              expect(played.reversed).toEqual(Array.from({ length: n }, (_, i) => n - 1 - i));
              expect(2 * played.places).toBe(played.moves);
            } else if (game === "clean") expect(played.left).toEqual([n]);
            else expect(played.left).toContain(n);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("has Bennett's 3^j moves and j + 1 pebbles, beaten from 8 nodes on", () => {
    for (let j = 0; j <= 10; j++)
      expect(bennettCounts("clean", 2 ** j)).toEqual({ moves: 3 ** j, pebbles: j + 1 });
    const optimum = new Optimum(16, 5);
    expect([optimum.moves("clean", 8, 4), optimum.moves("clean", 16, 5)]).toEqual([25, 71]);
    expect(optimum.moves("clean", 4, 3)).toBe(9);
  });
});
