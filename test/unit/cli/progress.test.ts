/** The line that says how far work is: on a terminal only, late, and gone at the end. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { besideProgress, Progress } from "../../../cli/progress.js";

beforeEach(() => {
  vi.useFakeTimers();
  // a dumb terminal is shown none
  vi.stubEnv("TERM", "xterm");
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** A stream, what a terminal of it shows in its last line, and a clock. */
function terminal(isTTY = true, columns = 40) {
  let all = "";
  const stream = { isTTY, columns, write: (text: string) => void (all += text) };
  const line = (): string => all.split("\n").at(-1)!.split("\r\u001b[K").at(-1)!;
  return { stream, line, written: () => all, above: () => all.split("\n").slice(0, -1) };
}
const clock = (): number => Date.now();

it("says nothing of work that ends soon", () => {
  const { stream, written } = terminal();
  const progress = new Progress("check a.ts", stream, clock);
  progress.say("1 of 2");
  vi.advanceTimersByTime(700);
  progress.end();
  vi.advanceTimersByTime(5000);
  expect(written()).toBe("");
});

it("says what is done, how far it is and since when, and takes it away", () => {
  const { stream, line } = terminal();
  const progress = new Progress("audit a.ts", stream, clock);
  vi.advanceTimersByTime(900);
  expect(line()).toBe("audit a.ts ...");
  progress.say("e, 37 of 200 graphs");
  vi.advanceTimersByTime(2200);
  expect(line()).toBe("audit a.ts: e, 37 of 200 graphs (3 s)");
  progress.end();
  expect(line()).toBe("");
});

it("of work that leaves timers no room, when it says something, and not at every word", () => {
  const { stream, line, written } = terminal();
  const progress = new Progress("lint", stream, clock);
  vi.setSystemTime(clock() + 1000);
  for (let i = 0; i < 100; i++) progress.say(`${i} of 100 files`);
  expect(line()).toBe("lint: 0 of 100 files (1 s)");
  expect(written().length).toBeLessThan(60);
  progress.end();
});

it("is no wider than the terminal, for a line that wraps cannot be taken away", () => {
  const { stream, line } = terminal(true, 20);
  const progress = new Progress("check \u6f22\u5b57\u6f22\u5b57\u6f22\u5b57.graph.ts", stream, clock);
  progress.begin();
  expect(line()).toBe("check \u6f22\u5b57\u6f22\u5b57\u6f22...");
  progress.end();
});

it("makes room for what is written beside it", () => {
  const { stream, line, above } = terminal();
  const progress = new Progress("run a.ts", stream, clock);
  vi.advanceTimersByTime(1000);
  besideProgress(() => stream.write("a line of the graph\n"));
  expect(above().map((text) => text.split("\u001b[K").at(-1))).toEqual(["a line of the graph"]);
  expect(line()).toBe("run a.ts (1 s)");
  progress.end();
  besideProgress(() => stream.write("another\n"));
  expect(line()).toBe("");
});

it("is not written to files and pipes, nor to a terminal that cannot take it away", () => {
  for (const [isTTY, term] of [
    [false, "xterm"],
    [true, "dumb"],
  ] as const) {
    vi.stubEnv("TERM", term);
    const { stream, written } = terminal(isTTY);
    const progress = new Progress("check a.ts", stream, clock);
    progress.begin();
    vi.advanceTimersByTime(5000);
    progress.say("far");
    progress.end();
    expect(written()).toBe("");
  }
});
