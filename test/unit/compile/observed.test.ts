/** Modules that are loaded to be observed: what they compute is what they would, and every write is told. */
import { describe, expect, it } from "vitest";
import vm from "node:vm";
import { compileModule } from "../../../engine/compile/index.js";
import * as runtime from "../../../engine/compile/runtime/index.js";
import { observing, type ObservedWrite } from "../../../engine/tape/writes.js";

interface Seen {
  readonly result: unknown;
  readonly writes: readonly ObservedWrite[];
  readonly draws: number;
}

/** Runs a module's text as the body of a function, its imports of the runtime handed in. */
function run(text: string): Seen {
  const { code } = compileModule(text, { file: "/observed.ts", language: "ts", observe: true });
  const body = code
    .replace(/^import \* as (\S+) from "backsweep\/runtime";/, "")
    .replace(/export const result =(?![^]*export const result =)/, "return");
  const prefix = /^import \* as (\S+) from/.exec(code)![1];
  const writes: ObservedWrite[] = [];
  let draws = 0;
  const call = vm.compileFunction(body, [prefix]) as (given: object) => unknown;
  const result = observing({ write: (write) => writes.push(write), draw: () => draws++ }, () =>
    call(runtime),
  );
  return { result, writes, draws };
}

const told = ({ writes }: Seen): unknown[] =>
  writes.map(({ operator, key, before, value }) => [operator, key, before, value]);

describe("observed modules", () => {
  it("fields, elements, variables, private fields", () => {
    const seen = run(
      "const o = { g: 1 }; const a: number[] = [1, 2]; let v = 3;\n" +
        "class P { #g = 5; add(c: number) { this.#g += c; return this.#g; } }\n" +
        "o.g += 2; a[1] = 7; v -= 1; const p = new P().add(4);\n" +
        "export const result = [o.g, a, v, p];",
    );
    expect(seen.result).toEqual([3, [1, 7], 2, 9]);
    expect(told(seen)).toEqual([
      ["+=", "g", 1, 2],
      ["=", 1, 2, 7],
      ["-=", "v", 3, 1],
      ["+=", "g", 5, 4],
    ]);
  });

  it("maps, copies with one element changed, record spread", () => {
    const seen = run(
      'const m = new Map([["a", 1]]); m.set("a", 2); m.set("b", 3);\n' +
        'const r: Record<string, number> = { a: 4 }; const k = "a"; const s = { ...r, [k]: 5 };\n' +
        "const t = new Float64Array(2).with(1, 6);\n" +
        'export const result = [m.get("a"), m.get("b"), s, [...t]];',
    );
    expect(seen.result).toEqual([2, 3, { a: 5 }, [0, 6]]);
    expect(told(seen)).toEqual([
      ["set", "a", 1, 2],
      ["set", "b", undefined, 3],
      ["spread", "a", 4, 5],
      ["with", 1, 0, 6],
    ]);
  });

  it("destructuring: fields, elements, private fields, variables, defaults, nested, with what stood there", () => {
    const seen = run(
      "const a = { g: 1, list: [5, 6] }; const b: { h?: number } = {}; let v = 3; let grad = 0;\n" +
        "class P { #g = 5; take(o: { c: number }) { ({ c: this.#g } = o); return this.#g; } }\n" +
        "[a.g, v] = [a.g + 1, a.g];\n" +
        "({ x: a.list[1], y: { z: b.h = 9 }, grad } = { x: 7, y: { z: undefined }, grad: 2 } as never);\n" +
        "const p = new P().take({ c: 8 });\n" +
        "export const result = [a, b, v, grad, p];",
    );
    expect(seen.result).toEqual([{ g: 2, list: [5, 7] }, { h: 9 }, 1, 2, 8]);
    expect(told(seen)).toEqual([
      ["=", "g", 1, 2],
      ["=", "v", 3, 1],
      ["=", 1, 6, 7],
      ["=", "h", undefined, 9],
      ["=", "g", 5, 8],
    ]);
  });

  it("destructuring evaluates each target once, in order, and before its value", () => {
    const seen = run(
      "const log: string[] = []; const o = { g: 1, h: 2 };\n" +
        "const f = (name: string) => { log.push(name); return o; };\n" +
        'const from = { get x() { log.push("x"); return 3; }, get y() { log.push("y"); return 4; } };\n' +
        '({ x: f("f").g, y: f("k")[(log.push("key"), "h" as const)] } = from);\n' +
        "export const result = [o, log];",
    );
    expect(seen.result).toEqual([{ g: 3, h: 4 }, ["f", "x", "k", "key", "y"]]);
    expect(told(seen)).toEqual([
      ["=", "g", 1, 3],
      ["=", "h", 2, 4],
    ]);
  });

  it("Object.assign: every property of every source, getters once", () => {
    const seen = run(
      "let gets = 0; const o: Record<string, number> = { g: 1 };\n" +
        "const same = Object.assign(o, { g: 2, get h() { gets++; return 3; } }, null, ...[{ g: 4 }]);\n" +
        "export const result = [o, same === o, gets];",
    );
    expect(seen.result).toEqual([{ g: 4, h: 3 }, true, 1]);
    expect(told(seen)).toEqual([
      ["=", "g", 1, 2],
      ["=", "h", undefined, 3],
      ["=", "g", 2, 4],
    ]);
    const own = run("const Object = { assign: (a: number) => a }; export const result = Object.assign(3);");
    expect([own.result, own.writes.length]).toEqual([3, 0]);
  });

  it("targets with effects are evaluated once, in order", () => {
    const seen = run(
      "const log: string[] = []; const o = { g: 1 };\n" +
        'const f = () => { log.push("f"); return o; }; const k = () => { log.push("k"); return "g" as const; };\n' +
        'const v = () => { log.push("v"); return 2; };\n' +
        "f()[k()] += v();\n" +
        "export const result = [o.g, log];",
    );
    expect(seen.result).toEqual([3, ["f", "k", "v"]]);
    expect(told(seen)).toEqual([["+=", "g", 1, 2]]);
  });

  it("draws and clocks; arithmetic, logic and calls as written", () => {
    const seen = run(
      "const x = Math.random(); Date.now();\n" +
        "const f = <T>(a: T, ...b: T[]) => [a, ...b]; let n: number | null = null; n ??= 4; n ||= 5;\n" +
        "let i = 0; const list: number[] = []; while (i < 3) list.push(i++ ** 2);\n" +
        "export const result = [x < 1, f(1, 2), n, list, `${1 + 1}`, typeof list];",
    );
    expect(seen.result).toEqual([true, [1, 2], 4, [0, 1, 4], "2", "object"]);
    expect(seen.draws).toBe(2);
  });

  it("keeps lines, and says nothing while nobody listens", () => {
    const text = "const o = { g: 0 };\n\no.g = 1;\nexport const result = o.g;";
    const { code, sites } = compileModule(text, { file: "/observed.ts", language: "ts", observe: true });
    expect(code.split("\n")).toHaveLength(4);
    expect(sites.line).toContain(3);
  });
});
