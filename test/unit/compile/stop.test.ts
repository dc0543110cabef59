/** A run can be stopped: at loop turns and function entries, through the user's own `catch`. */
import { afterEach, describe, expect, it } from "vitest";
import { connectMonitor, StopRequest } from "../../../engine/compile/runtime/index.js";
import { placeOf } from "../../../engine/tape/sites.js";
import { load } from "./harness.js";

afterEach(() => connectMonitor(new Int32Array(8)));

async function stopped(
  body: string,
  request: number,
): Promise<{ error: unknown; monitor: Int32Array; turns: number }> {
  const monitor = new Int32Array(8);
  const { namespace } = await load(
    { "main.ts": `export function run(tick: () => void) {\n${body}\n}` },
    "rewritten",
  );
  connectMonitor(monitor);
  let turns = 0;
  try {
    (namespace.run as (tick: () => void) => void)(() => {
      if (++turns === 3) monitor[1] = request;
      if (turns > 100) throw new Error("not stopped");
    });
  } catch (error) {
    return { error, monitor, turns };
  }
  return { error: null, monitor, turns };
}

describe("stop requests", () => {
  for (const body of [
    "while (true) tick();",
    "for (;;) { try { tick(); } catch { } }",
    "for (;;) try { for (;;) tick(); } catch (e) { continue; }",
    "do { try { tick(); throw 1; } catch ({ message }) { } } while (true)",
    "const f = () => { tick(); f(); }; f();",
    "outer: for (;;) { for (const x of [1, 2]) { tick(); continue outer; } }",
  ]) {
    it(body, async () => {
      const { error, turns } = await stopped(body, 1);
      expect(error).toBeInstanceOf(StopRequest);
      expect((error as StopRequest).kind).toBe("deadline");
      expect(turns).toBeLessThan(6);
    });
  }
  it("the last place reached is known", async () => {
    const { monitor } = await stopped("let n = 0;\nfor (;;)\n  tick();", 1);
    expect(placeOf(monitor[0])).toMatchObject({ line: 3 });
  });
  it("a look at memory is not the end", async () => {
    let looks = 0;
    const monitor = new Int32Array(8);
    const { namespace } = await load(
      { "main.ts": "export function run() { for (let i = 0; i < 5; i++) ; return 7; }" },
      "rewritten",
    );
    connectMonitor(monitor, () => {
      looks++;
      monitor[1] = 0;
    });
    monitor[1] = 4;
    expect((namespace.run as () => number)()).toBe(7);
    expect(looks).toBe(1);
  });
});
