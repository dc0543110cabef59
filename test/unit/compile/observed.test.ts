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
    .replace(
      /^ import \{ r as (\S+), w as (\S+) \} from "backsweep\/runtime";/,
      "const { r: $1, w: $2 } = arguments[0];",
    )
    .replace(/export const result =(?![^]*export const result =)/, "return");
  const prefix = /^import \* as (\S+) from/.exec(code)![1];
  const writes: ObservedWrite[] = [];
  let draws = 0;
  const call = vm.compileFunction(body, [prefix]) as (given: object) => unknown;
  const result = observing(
    { write: (write) => writes.push(write), draw: () => draws++, enter: () => undefined },
    () => call(runtime),
  );
  return { result, writes, draws };
}

const told = ({ writes }: Seen): unknown[] =>
  writes.map(({ operator, key, before, value }) => [operator, key, before, value]);

/** Without what the logs of these tests push. */
const assigned = (seen: Seen): unknown[] => told(seen).filter((one) => (one as unknown[])[0] !== "push");

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
      ["=", "grad", 0, 2],
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
    expect(assigned(seen)).toEqual([
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

  it("destructuring in the short form, with and without a default", () => {
    const seen = run(
      "let grad = 1; let rest = 2; ({ grad, rest = 5 } = { grad: 3 } as { grad: number; rest?: number });\n" +
        "export const result = [grad, rest];",
    );
    expect(seen.result).toEqual([3, 5]);
    expect(told(seen)).toEqual([
      ["=", "grad", 1, 3],
      ["=", "rest", 2, 5],
    ]);
  });

  it("methods of arrays and typed arrays that change elements, and those of the user's own alone", () => {
    const seen = run(
      "const a = [1, 2]; a.push(3, 4); a.fill(9, 0, 1); a.splice(1, 1, 8); (a)\n  .push();\n" +
        "const t = new Float64Array(3); t.set([5, 6], 1); t.copyWithin(0, 2); a.push(...[7]);\n" +
        "const own = { list: [0], push(x: number) { return x + 1; }, fill: () => 2 };\n" +
        "export const result = [a, [...t], own.push(1), own.fill(), own./* x. */push(2)];",
    );
    expect(seen.result).toEqual([[9, 8, 3, 4, 7], [6, 5, 6], 2, 2, 3]);
    expect(told(seen)).toEqual([
      ["push", 2, undefined, 3],
      ["push", 3, undefined, 4],
      ["=", 0, 1, 9],
      ["=", 1, 2, 8],
      ["=", 1, 0, 5],
      ["=", 2, 0, 6],
      ["=", 0, 0, 6],
      ["push", 4, undefined, 7],
    ]);
  });

  it("Reflect.set, Object.defineProperty, copies of a Map", () => {
    const seen = run(
      'const o = { g: 1 }; Reflect.set(o, "g", 2); Object.defineProperty(o, "h", { value: 3 });\n' +
        'const m = new Map([["a", 4]]); const k = "a"; const n = new Map([...m, [k, 5], ["b", 6]]);\n' +
        'export const result = [o.g, (o as { h?: number }).h, n.get("a"), n.get("b"), m.size];',
    );
    expect(seen.result).toEqual([2, 3, 5, 6, 1]);
    expect(told(seen)).toEqual([
      ["=", "g", 1, 2],
      ["=", "h", undefined, 3],
      ["spread", "a", 4, 5],
      ["spread", "b", undefined, 6],
    ]);
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
    expect(assigned(seen)).toEqual([["+=", "g", 1, 2]]);
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
