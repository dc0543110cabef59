import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Arena } from "../../../engine/kernels/kernels.js";
import { classBytes, sizeClass } from "../../../engine/kernels/arena.js";

const KIB = 1024;
const make = (kib = 64, base = 256): Arena => new Arena(new ArrayBuffer(kib * KIB), base);

describe("the arena", () => {
  it("classes hold what is put in them and waste at most a quarter", () => {
    for (let bytes = 0; bytes < 70_000; bytes++) {
      const size = classBytes(sizeClass(bytes));
      if (size < bytes || size % 16 !== 0 || (bytes > 0 && sizeClass(bytes) < sizeClass(bytes - 1))) {
        expect.fail(`${bytes} bytes are given ${size}`);
      }
      if (bytes > 64 && size > bytes * 1.25 + 16) expect.fail(`${bytes} bytes are given ${size}`);
    }
  });

  it("hands out aligned blocks that do not overlap, whatever is taken, freed and released", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(5), fc.nat(200)), { maxLength: 120 }), (actions) => {
        const arena = make(256);
        const marks: { mark: number; live: number }[] = [];
        const live: Float64Array[] = [];
        for (const [kind, n] of actions) {
          if (kind <= 2) {
            const view = arena.float64(n);
            expect(view.length).toBe(n);
            view.fill(live.length);
            live.push(view);
          } else if (kind === 3 && live.length > (marks.at(-1)?.live ?? 0)) {
            // the last one takes the place of the one that goes, and its number
            const from = marks.at(-1)?.live ?? 0;
            const at = from + (n % (live.length - from));
            arena.free(live[at]);
            const moved = live.pop()!;
            if (at < live.length) (live[at] = moved).fill(at);
          } else if (kind === 4) {
            marks.push({ mark: arena.mark(), live: live.length });
          } else if (kind === 5 && marks.length > 0) {
            const last = marks.pop()!;
            arena.release(last.mark);
            live.length = last.live;
          }
          live.forEach((view, i) => expect(view.every((x) => x === i)).toBe(true));
        }
        for (const view of live) if (arena.place(view) >= 0) expect(view.byteOffset % 16).toBe(0);
      }),
    );
  });

  it("uses freed blocks again, at the level that has them", () => {
    const arena = make();
    const a = arena.float64(100);
    arena.free(a);
    const used = arena.used;
    expect(arena.float64(97).byteOffset).toBe(a.byteOffset);
    expect(arena.used).toBe(used);
    const mark = arena.mark();
    const b = arena.float32(8);
    arena.free(b);
    arena.release(mark);
    expect(arena.used).toBe(used);
    expect(arena.peak).toBeGreaterThan(used);
  });

  it("a block from before the mark that is freed after it is not lost and not handed out twice", () => {
    const arena = make();
    const a = arena.float64(10);
    const mark = arena.mark();
    arena.free(a);
    const inside = arena.float64(10);
    expect(inside.byteOffset).not.toBe(a.byteOffset);
    arena.release(mark);
    expect(arena.float64(10).byteOffset).toBe(a.byteOffset);
  });

  it("hands out ordinary arrays when it is full or has no memory", () => {
    const arena = make(1);
    const big = arena.float64(1000);
    expect([big.length, arena.place(big)]).toEqual([1000, -1]);
    expect(big.every((x) => x === 0)).toBe(true);
    arena.free(big);
    const none = new Arena(null);
    expect([none.capacity, none.float32(3).length, none.place(none.float32(3))]).toEqual([0, 3, -1]);
    expect(arena.place(arena.float64(4))).toBeGreaterThan(0);
  });

  it("knows its own arrays and parts of them", () => {
    const arena = make();
    const a = arena.copy64([1, 2, 3]);
    expect(arena.place(a.subarray(1))).toBe(arena.place(a) + 8);
    expect(arena.place(new Float64Array(3))).toBe(-1);
    expect(make().place(new Float64Array(3))).toBe(-1);
    expect([...arena.zeros64(3), ...arena.zeros32(2), ...arena.copy32([0.1])]).toEqual([
      0,
      0,
      0,
      0,
      0,
      Math.fround(0.1),
    ]);
  });

  it("refuses what would hand one block to two owners", () => {
    const arena = make();
    const a = arena.float64(4);
    arena.free(a);
    expect(() => arena.free(a)).toThrow(/given back twice/);
    const b = arena.float64(40);
    expect(() => arena.free(b.subarray(2))).toThrow(/no block/);
    const mark = arena.mark();
    const c = arena.float64(4);
    arena.release(mark);
    expect(() => arena.free(c)).toThrow(/no block/);
    expect(() => arena.release(mark)).toThrow(/not set/);
  });

  it("shows reads of unset memory to tests", () => {
    const arena = make();
    arena.poison = true;
    expect(arena.float64(2).every(Number.isNaN)).toBe(true);
  });
});
