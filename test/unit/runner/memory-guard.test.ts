/** What the memory limit puts in place of a realm's allocators. */
import vm from "node:vm";
import { describe, expect, it, vi } from "vitest";
import { MemoryGuard } from "../../../runner/memory.js";
import { createMonitor } from "../../../runner/monitor.js";
import { StopState } from "../../../runner/stop.js";

function guarded(limit: number): vm.Context {
  const context = vm.createContext({});
  const realm = vm.runInContext("globalThis", context) as typeof globalThis;
  const monitor = createMonitor();
  new MemoryGuard(limit, monitor, new StopState(monitor)).install(realm);
  return context;
}

describe("guarded constructors", () => {
  const context = guarded(2 ** 30);
  const evaluate = (code: string): unknown => vm.runInContext(code, context);

  it("make the arrays that the realm's own make", () => {
    expect(evaluate("new Float64Array(3) instanceof Float64Array")).toBe(true);
    expect(evaluate("new Float64Array(3).constructor === Float64Array")).toBe(true);
    expect(evaluate("Object.prototype.toString.call(new Float64Array([1, 2]).map((x) => 2 * x))")).toBe(
      "[object Float64Array]",
    );
    expect(evaluate("[...new Float64Array(new Float64Array([1, 2]).buffer, 8)]")).toEqual([2]);
    expect(evaluate("Float64Array.BYTES_PER_ELEMENT")).toBe(8);
  });

  it("are themselves never what an array is made for, but a class that extends them is", () => {
    // an array made for the stand-in has a shape of its own, on which all code that reads arrays is slow
    const construct = vi.spyOn(Reflect, "construct");
    evaluate("new Float64Array(3)");
    const [[target, , newTarget]] = construct.mock.calls;
    construct.mockRestore();
    expect(newTarget).toBe(target);
    expect(newTarget).not.toBe(evaluate("Float64Array"));
    expect(
      evaluate(
        "class Own extends Float64Array {} const own = new Own(2); [own instanceof Own, own.length, own.constructor === Own]",
      ),
    ).toEqual([true, 2, true]);
  });

  it("refuse what is over the limit before it is made", () => {
    const small = guarded(2 ** 22);
    expect(() => vm.runInContext("new Float64Array(2 ** 20)", small)).toThrow("out of memory");
    expect(vm.runInContext("new Float64Array(2 ** 10).length", small)).toBe(2 ** 10);
  });
});
