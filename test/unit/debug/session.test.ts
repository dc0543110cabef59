/** Whole sessions over recorded graphs, each written down as a golden transcript. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Bench, FAN_OUT, LOOP, NAN, golden } from "./bench.js";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open({
    "fan-out.graph.ts": FAN_OUT,
    "loop.graph.ts": LOOP,
    "nan.graph.ts": NAN,
  });
});
afterAll(() => bench?.close());

describe("a session", () => {
  it("stops where a is final in the sweep, with both contributions, and steps back to one", async () => {
    const program = bench.path("fan-out.graph.ts");
    const moves: number[] = [];
    const client = bench.client(moves);
    const entry = await client.launch({ program }, async () => {
      await client.request("setBreakpoints", { source: { path: program }, breakpoints: [{ line: 4 }] });
    });
    expect(entry).toMatchObject({ reason: "entry", threadId: 1, description: "a = x * y evaluates to 6" });
    await client.request("threads");
    await client.request("stackTrace", { threadId: 1 });
    await client.request("stackTrace", { threadId: 2 });
    const stop = await client.move("continue");
    expect(stop).toMatchObject({
      reason: "breakpoint",
      threadId: 2,
      description: "a is final: 18 + 24 = 42. Next: c hands 48 to y: running sum 48 of 132",
    });
    expect(await client.rows("Contributions into a")).toEqual({
      "from b": "18 = 18 × 1",
      "from c": "24 = 8 × 3, running sum 42",
      "running sum": "42, 2 of 2 contributions",
    });
    expect(await client.rows("Cotangents")).toMatchObject({ a: "42", x: "18, 1 of 2 paid", L: "1" });
    const back = await client.move("stepBack");
    expect(back.description).toBe("a has 18, 1 of 2 paid. Next: c hands 24 to a: running sum 42 of 42");
    expect(await client.rows("Contributions into a")).toEqual({
      "from b": "18 = 18 × 1",
      "running sum": "18, 1 of 2 contributions",
      "waiting for": "c",
    });
    expect((await client.move("next")).description).toMatch(/^a is final/);
    expect(await client.rows("Inputs' gradient so far")).toEqual({
      x: "18, 1 of 2 paid",
      y: "none yet",
    });
    await client.request("continue", { threadId: 2 });
    expect(await client.event("stopped")).toMatchObject({
      description: expect.stringContaining("The sweep is over"),
    });
    await client.request("continue", { threadId: 2 });
    await client.event("terminated");
    expect(moves).toEqual([0, 9, 8, 9, 12]);
    await golden(client, "fan-out");
  });

  it("stops in iteration 3 of a loop only, in either thread, with the stack of that pass", async () => {
    const program = bench.path("loop.graph.ts");
    const client = bench.client();
    await client.launch({ program }, async () => {
      await client.request("setBreakpoints", {
        source: { path: program },
        breakpoints: [{ line: 4, condition: "iteration == 3 && abs(v) < 10" }],
      });
    });
    const first = await client.move("continue");
    expect(first).toMatchObject({ reason: "breakpoint", threadId: 1 });
    const { stackFrames } = await client.request<{ stackFrames: { name: string; line: number }[] }>(
      "stackTrace",
      {
        threadId: 1,
      },
    );
    expect(stackFrames.map(({ name, line }) => [name, line])).toEqual([
      ["square#4", 4],
      ["looped, for i, iteration 3", 12],
    ]);
    expect(await client.evaluate("iteration")).toBe("3");
    const second = await client.move("continue");
    expect(second).toMatchObject({ reason: "breakpoint", threadId: 2 });
    expect(await client.evaluate("iteration")).toBe("3");
    expect((await client.move("reverseContinue")).threadId).toBe(1);
    expect((await client.move("reverseContinue")).reason).toBe("entry");
    await golden(client, "loop-condition");
  });

  it("breaks when a contribution arrives at a, and on nothing else", async () => {
    const program = bench.path("fan-out.graph.ts");
    const client = bench.client();
    await client.launch({ program, stopOnEntry: "sweep" });
    const scope = (await client.scopes()).get("Primal values")!;
    await client.variables(scope.variablesReference);
    const info = await client.request<{ dataId: string }>("dataBreakpointInfo", {
      variablesReference: scope.variablesReference,
      name: "a",
    });
    expect(info.dataId).toBe("bar(a)");
    await client.request("setDataBreakpoints", {
      breakpoints: [{ dataId: info.dataId, accessType: "write" }],
    });
    expect((await client.move("continue")).description).toMatch(/^a has 18/);
    expect((await client.move("continue")).description).toMatch(/^a is final: 18 \+ 24 = 42/);
    expect((await client.move("continue")).reason).toBe("step");
    expect((await client.move("reverseContinue")).reason).toBe("data breakpoint");
    expect(await client.evaluate("bar(a)")).toBe("42");
    await golden(client, "data-breakpoint");
  });

  it("stops at the first NaN forwards and in the sweep", async () => {
    const client = bench.client();
    await client.launch({ program: bench.path("nan.graph.ts") }, async () => {
      await client.request("setExceptionBreakpoints", { filters: ["nonfinite", "lost"] });
    });
    const forward = await client.move("continue");
    expect(forward).toMatchObject({ reason: "exception", threadId: 1 });
    expect(forward.description).toMatch(/^r = NaN is the first value that is not finite/);
    await client.request("exceptionInfo", { threadId: 1 });
    const reverse = await client.move("continue");
    expect(reverse).toMatchObject({ reason: "exception", threadId: 2 });
    expect(reverse.description).toMatch(/cotangent is NaN, the first in the sweep/);
    await golden(client, "nan");
  });

  it("stops where last writer wins loses a contribution", async () => {
    const client = bench.client();
    await client.launch(
      { program: bench.path("fan-out.graph.ts"), accumulate: "last-writer-wins", stopOnEntry: "sweep" },
      async () => {
        await client.request("setExceptionBreakpoints", { filters: ["lost"] });
      },
    );
    const stop = await client.move("continue");
    expect(stop).toMatchObject({ reason: "exception" });
    expect(stop.description).toMatch(/^c overwrites 18 in a with 24: a contribution is lost/);
    expect(await client.rows("Contributions into a")).toEqual({
      "from b": "18 = 18 × 1, overwritten: lost",
      "from c": "24 = 8 × 3, overwrites what was there",
      "running sum": "24, 2 of 2 contributions",
    });
    await golden(client, "lost-contribution");
    // what is wrong is never shown alone
    expect(await client.rows("Cotangents")).toMatchObject({ a: "24 (true: 42)" });
    const { values } = await client.request<{ values: { text: string }[] }>("inlineValues", {
      path: bench.path("fan-out.graph.ts"),
      line: 4,
      endLine: 4,
    });
    expect(values.map(({ text }) => text)).toEqual(["a = 6, bar 24 (true: 42)"]);
  });

  it("steps into the evaluation of the node that pays, and out again", async () => {
    const client = bench.client();
    await client.launch({ program: bench.path("loop.graph.ts"), stopOnEntry: "sweep" });
    await client.move("next");
    await client.move("next");
    const { targets } = await client.request<{ targets: { id: number; label: string }[] }>("stepInTargets", {
      frameId: 1,
    });
    expect(targets.map(({ label }) => label)).toEqual([
      "evaluation of square#5.t = v * v",
      "evaluation of s@9 = s * y",
    ]);
    const inside = await client.move("stepIn");
    expect(inside).toMatchObject({
      threadId: 1,
      description: expect.stringMatching(/^square#5.t = v \* v evaluates/),
    });
    expect((await client.move("stepOut")).threadId).toBe(2);
    expect((await client.move("stepIn", { targetId: targets[1].id })).description).toMatch(/^s@9 = s \* y/);
    expect((await client.move("stepOut")).threadId).toBe(2);
    // forwards a step out leaves the helper
    await client.move("reverseContinue");
    await client.move("next");
    const out = await client.move("stepOut");
    expect(out.description).toMatch(/^s@2 = square\(s\) \+ x/);
    await golden(client, "step-in");
  });

  it("moves by statements, jumps to a node, and stops at primitives, hit counts and log points", async () => {
    const program = bench.path("loop.graph.ts");
    const client = bench.client();
    await client.launch({ program, stepGranularity: "statement", stopOnEntry: "sweep" }, async () => {
      await client.request("setFunctionBreakpoints", {
        breakpoints: [{ name: "add", hitCondition: "% 2" }, { name: "nothing" }],
      });
      await client.request("setBreakpoints", {
        source: { path: program },
        breakpoints: [{ line: 4, logMessage: "t is {t}, bar {bar(t)}" }, { line: 6 }, { line: 9 }],
      });
    });
    await client.move("next");
    await client.move("next");
    await client.move("stepBack");
    expect((await client.move("continue")).reason).toBe("function breakpoint");
    expect(client.events.filter(({ event }) => event === "output").length).toBeGreaterThan(0);
    const { targets } = await client.request<{ targets: { id: number; label: string }[] }>("gotoTargets", {
      source: { path: program },
      line: 11,
    });
    expect(targets).toHaveLength(10);
    const jumped = await client.move("goto", { targetId: targets[2].id });
    expect(jumped.reason).toBe("goto");
    await client.request("breakpointLocations", { source: { path: program }, line: 10, endLine: 12 });
    await client.request("completions", { text: "bar(s", column: 6 });
    await client.request("stepContribution", { threadId: 2 });
    await client.event("stopped");
    await golden(client, "statements");
  });

  it("follows the panel's player, and tells of a text that changed", async () => {
    const moves: number[] = [];
    const client = bench.client(moves);
    await client.launch({ program: bench.path("fan-out.graph.ts"), stopOnEntry: "sweep" });
    client.session.follow(7);
    expect(await client.event("stopped")).toMatchObject({
      reason: "goto",
      threadId: 2,
      description: expect.stringMatching(/^a has 18, 1 of 2 paid/),
    });
    // back from there the node in focus is the one whose contribution was taken back
    client.session.follow(6);
    expect((await client.event<{ description: string }>("stopped")).description).toMatch(/^b hands 18 to a/);
    client.session.follow(1);
    expect(await client.event("stopped")).toMatchObject({ threadId: 1 });
    // the panel is where the session is: it is not told again
    expect(moves).toEqual([4]);
    client.session.sourceChanged(true);
    expect(await client.event("output")).toMatchObject({
      category: "important",
      output: expect.stringMatching(/has changed since this sweep was recorded/),
    });
    await client.request("terminate");
    await client.event("terminated");
    client.session.follow(3);
    expect(client.events.at(-1)!.event).toBe("terminated");
  });

  it("refuses what cannot be debugged or evaluated with one sentence", async () => {
    const client = bench.client();
    await client.request("initialize", { adapterID: "backsweep", pathFormat: "path" });
    expect((await client.ask("scopes", { frameId: 1 })).message).toMatch(/no sweep to debug yet/);
    const refused = await client.ask("launch", { program: bench.path("missing.graph.ts") });
    expect(refused.success).toBe(false);
    const other = bench.client();
    await other.launch({ program: bench.path("fan-out.graph.ts"), stopOnEntry: "sweep" }, async () => {
      const { breakpoints } = await other.request<{ breakpoints: { verified: boolean; message: string }[] }>(
        "setBreakpoints",
        {
          source: { path: bench.path("fan-out.graph.ts") },
          breakpoints: [{ line: 5, condition: "bar(a" }, { line: 5, hitCondition: "often" }, { line: 1 }],
        },
      );
      expect(breakpoints.map(({ message }) => message)).toEqual([
        '")" expected, the end found (column 6)'.replace('")"', '","'),
        '"often" is no hit count: write 3, = 3, > 3, >= 3, < 3, <= 3 or % 3 (column 1)',
        "No operation of this sweep stands on this line: it computes nothing, or the run did not reach it.",
      ]);
    });
    for (const [expression, message] of [
      ["q + 1", /there is no node called q.*\(column 1\)/],
      ["a +", /a value expected, the end found/],
      ["local(x, L)", /L does not use x directly/],
      ["a = 1", /"=" does not belong here; compare with "=="/],
    ] as const) {
      const answer = await other.ask("evaluate", { expression, context: "watch" });
      expect(answer.message).toMatch(message);
    }
    expect(await other.evaluate("paths(x, L)")).toBe("3 paths from x to L");
    expect(await other.evaluate("d(L, a) + d(L, x) + local(a, c)")).toBe("189");
    expect(await other.evaluate("bar(a)")).toBe("none yet");
    expect(await other.evaluate("abs(bar(a)) > 10")).toBe("false");
    await other.request("disconnect");
  });
});
