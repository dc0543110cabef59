/** Restarts that fail, and sessions that end while something is under way: every request is answered, and stop stops. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Environment, LaunchArguments, Recorded } from "../../../extension/debug/environment.js";
import { Bench, FAN_OUT, golden } from "./bench.js";
import { Client } from "./client.js";

const WRONG = "fan-out.graph.ts:7:14: this does not belong here";

/** An environment whose runs end when, and as, a test says. */
class Runs {
  readonly asked: LaunchArguments[] = [];
  private readonly waiting: ((recorded: Recorded) => void)[] = [];
  ended = 0;

  constructor(private readonly sweep: Recorded) {}

  readonly environment: Environment = {
    run: (launch) => {
      this.asked.push(launch);
      return new Promise((resolve) => this.waiting.push(resolve));
    },
    moved: () => {},
    renamed: () => {},
    marked: () => {},
    ended: () => this.ended++,
  };

  private async next(recorded: Recorded): Promise<void> {
    await expect.poll(() => this.waiting.length).toBeGreaterThan(0);
    this.waiting.shift()!(recorded);
  }

  succeed(): Promise<void> {
    return this.next(this.sweep);
  }

  /** The run asked for last is over first. */
  succeedLast(): void {
    this.waiting.pop()!(this.sweep);
  }

  fail(message = WRONG): Promise<void> {
    return this.next({ ok: false, message });
  }
}

let bench: Bench;
let sweep: Recorded;
let program: string;
let runs: Runs;
let client: Client;

beforeAll(async () => {
  bench = await Bench.open({ "fan-out.graph.ts": FAN_OUT });
  program = bench.path("fan-out.graph.ts");
  sweep = await bench.record(program);
});
afterAll(() => bench?.close());
beforeEach(() => {
  runs = new Runs(sweep);
  client = new Client(runs.environment, (text) => text.replaceAll(program, "<program>"));
});

async function launched(): Promise<void> {
  const stop = client.launch({ program, stopOnEntry: "sweep" });
  await runs.succeed();
  await stop;
}

const outputs = (): string[] =>
  client.events
    .filter(({ event }) => event === "output")
    .map(({ body }) => (body as { output: string }).output);
const count = (kind: string): number => client.events.filter(({ event }) => event === kind).length;

describe("a restart whose run fails", () => {
  it("says where and why, keeps the session alive, and lets it be stopped", async () => {
    await launched();
    await client.move("next");
    const answer = client.ask("restart");
    await runs.fail();
    // a refusal would make VS Code let go of the session while its toolbar stays
    expect((await answer).success).toBe(true);
    expect(await client.event("stopped")).toMatchObject({ preserveFocusHint: true, threadId: 2 });
    expect(outputs()).toEqual([`Not restarted: ${WRONG}. The session goes on with the sweep it has.\n`]);
    expect(await client.evaluate("bar(b)")).toBe("18");
    expect((await client.move("next")).description).toMatch(/^c is final/);
    const again = client.ask("restart");
    await runs.succeed();
    expect((await again).success).toBe(true);
    expect((await client.event<{ description: string }>("stopped")).description).toMatch(/^The sweep starts/);
    await client.request("terminate");
    await client.event("terminated");
    expect(runs.ended).toBe(1);
    await golden(client, "failed-restart");
  });

  it("can be stopped at once, by either request, and answers whatever else arrives", async () => {
    await launched();
    const answer = client.ask("restart");
    await runs.fail();
    await answer;
    await client.event("stopped");
    const { breakpoints } = await client.request<{ breakpoints: { verified: boolean }[] }>("setBreakpoints", {
      source: { path: program },
      breakpoints: [{ line: 4 }],
    });
    expect(breakpoints).toMatchObject([{ verified: true }]);
    await client.request("threads");
    await client.request("stackTrace", { threadId: 2 });
    expect((await client.move("continue")).reason).toBe("breakpoint");
    await client.request("disconnect");
    expect(runs.ended).toBe(1);
    // after the end as well
    for (const command of ["terminate", "disconnect", "restart", "threads", "pause", "continue", "next"])
      expect((await client.ask(command, { threadId: 1 })).success).toBe(true);
    const late = await client.ask("evaluate", { expression: "x = 3", context: "repl" });
    expect(late).toMatchObject({ success: false });
    expect(runs.ended).toBe(1);
  });

  it("leaves a what-if as it was", async () => {
    await launched();
    const changed = client.ask("evaluate", { expression: "x = 3", context: "repl" });
    await runs.succeed();
    await changed;
    await client.event("stopped");
    const answer = client.ask("restart");
    await runs.fail();
    await answer;
    await client.event("stopped");
    expect((await client.scopes()).has("What-if beside the true sweep")).toBe(true);
  });
});

describe("a session that ends while a run is under way", () => {
  it("answers the launch, and nothing comes afterwards", async () => {
    await client.request("initialize", { adapterID: "backsweep", pathFormat: "path" });
    const launch = client.ask("launch", { program });
    await client.request("terminate");
    expect(await launch).toMatchObject({ success: false });
    await client.event("terminated");
    await runs.succeed();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(client.events.map(({ event }) => event)).toEqual(["terminated"]);
    expect(runs.ended).toBe(1);
  });

  it("answers a launch whose run breaks down", async () => {
    const broken = new Client({
      ...runs.environment,
      run: () => Promise.reject(new Error("the runner is gone")),
    });
    await broken.request("initialize", { adapterID: "backsweep", pathFormat: "path" });
    expect((await broken.ask("launch", { program })).message).toMatch(/the runner is gone/);
  });

  it.each(["terminate", "disconnect"])("answers the restart before the %s", async (command) => {
    await launched();
    const order: string[] = [];
    const restart = client.ask("restart").then(({ success }) => order.push(`restart ${success}`));
    const stop = client.ask(command).then(() => order.push(command));
    await Promise.all([restart, stop]);
    expect(order).toEqual(["restart true", command]);
    const events = client.events.length;
    await runs.succeed();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(client.events.slice(events)).toEqual([]);
    expect(runs.ended).toBe(1);
  });

  it("answers a what-if", async () => {
    await launched();
    const changed = client.ask("evaluate", { expression: "x = 3", context: "repl" });
    await client.request("terminate");
    expect((await changed).success).toBe(false);
  });
});

describe("restarts that overlap", () => {
  it("two quick ones: both are answered, the later one is entered, once", async () => {
    await launched();
    const stops = count("stopped");
    const first = client.ask("restart");
    const second = client.ask("restart", { arguments: { program, stopOnEntry: true } });
    // the later run takes the place of the first
    await runs.fail("The run was cancelled.");
    await runs.succeed();
    expect((await first).success && (await second).success).toBe(true);
    expect(await client.event("stopped")).toMatchObject({ reason: "entry", threadId: 1 });
    expect(count("stopped")).toBe(stops + 1);
    expect(outputs()).toEqual([]);
  });

  it("one while the launch runs is that run", async () => {
    const stop = client.launch({ program });
    await expect.poll(() => runs.asked.length).toBe(1);
    expect((await client.ask("restart")).success).toBe(true);
    await runs.succeed();
    expect((await stop).reason).toBe("entry");
    expect(runs.asked).toHaveLength(1);
  });

  it("keeps the configuration of the last one that ran", async () => {
    await launched();
    const broken = client.ask("restart", { arguments: { program: "/gone/a.graph.ts" } });
    await runs.fail("a.graph.ts cannot be read");
    await broken;
    const again = client.ask("restart");
    await runs.succeed();
    await again;
    expect(runs.asked.map((launch) => launch.program)).toEqual([program, "/gone/a.graph.ts", program]);
  });

  it("a what-if that a restart overtakes does not come to the new sweep", async () => {
    await launched();
    const changed = client.ask("evaluate", { expression: "x = 3", context: "repl" });
    await expect.poll(() => runs.asked.length).toBe(2);
    const restart = client.ask("restart");
    await expect.poll(() => runs.asked.length).toBe(3);
    runs.succeedLast();
    expect((await restart).success).toBe(true);
    await client.event("stopped");
    await runs.succeed();
    expect(await changed).toMatchObject({ success: false, message: "the session was restarted meanwhile" });
    expect([...(await client.scopes()).keys()]).not.toContain("What-if beside the true sweep");
  });
});

describe("where the focus is", () => {
  it("a what-if leaves it where it is, and frames keep their numbers", async () => {
    await launched();
    const { stackFrames: before } = await client.request<{ stackFrames: { id: number }[] }>("stackTrace", {
      threadId: 2,
    });
    const changed = client.ask("evaluate", { expression: "x = 3", context: "repl" });
    await runs.succeed();
    await changed;
    expect(await client.event("stopped")).toMatchObject({ preserveFocusHint: true });
    expect(await client.event("invalidated")).toEqual({ areas: ["variables"] });
    const { stackFrames: after } = await client.request<{ stackFrames: { id: number }[] }>("stackTrace", {
      threadId: 2,
    });
    expect(after).toEqual(before);
    const { scopes } = await client.request<{ scopes: { name: string }[] }>("scopes", {
      frameId: before[0].id,
    });
    expect(scopes[0].name).toBe("What-if beside the true sweep");
  });

  it("a frame of an earlier stop is nobody's any more", async () => {
    await launched();
    const { stackFrames } = await client.request<{ stackFrames: { id: number }[] }>("stackTrace", {
      threadId: 2,
    });
    await client.move("next");
    await client.request("stackTrace", { threadId: 2 });
    expect(await client.request("scopes", { frameId: stackFrames[0].id })).toEqual({ scopes: [] });
  });
});
