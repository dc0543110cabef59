/** A test runner of a few lines, so that the suite needs no framework inside the extension host. */
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

interface Case {
  readonly name: string;
  readonly body: () => Promise<void> | void;
}

const cases: Case[] = [];

/** Registers a test. */
export function test(name: string, body: Case["body"]): void {
  cases.push({ name, body });
}

/** Resolves once `condition` gives something other than undefined, null or false; rejects after `limit` milliseconds. */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  limit = 60_000,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + limit;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== null && value !== false) return value as NonNullable<T>;
    if (performance.now() > deadline) throw new Error(`not within ${limit / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Milliseconds of processor that this thread has used; undefined where the system does not tell. */
function threadTime(): number | undefined {
  try {
    // the thread that runs this is the process's first
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  } catch {
    return undefined;
  }
}

export interface Lag {
  /** the longest time in which the event loop did not turn, as far as its thread worked in it; milliseconds */
  readonly worked: number;
  /** the same by the clock, waiting for a processor included */
  readonly waited: number;
}

/**
 * Measures for how long the event loop was held while `body` runs, by whomever: VS Code and the test itself work on the
 * same thread. A timer that is late may just have waited for a processor, so a pause counts only as far as the thread
 * was at work in it (on Linux; elsewhere the whole process).
 */
export async function lagDuring<T>(body: () => Promise<T>): Promise<{ value: T; lag: Lag }> {
  const PERIOD = 4;
  const used = (): number => {
    const { user, system } = process.cpuUsage();
    return threadTime() ?? (user + system) / 1000;
  };
  let last = performance.now();
  let usedThen = used();
  let worked = 0;
  let waited = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    const usedNow = used();
    const late = now - last - PERIOD;
    waited = Math.max(waited, late);
    worked = Math.max(worked, Math.min(late, usedNow - usedThen));
    last = now;
    usedThen = usedNow;
  }, PERIOD);
  try {
    const value = await body();
    return { value, lag: { worked, waited } };
  } finally {
    clearInterval(timer);
  }
}

/** "12 ms (by the clock 40)" */
export function lagText({ worked, waited }: Lag): string {
  return `${Math.round(worked)} ms (by the clock ${Math.round(waited)})`;
}

const CASE_MS = 120_000;

async function withLimit(body: Case["body"]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${CASE_MS / 1000} s`)), CASE_MS);
  });
  try {
    await Promise.race([body(), limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs the registered tests whose name contains `grep`, in order; prints a line for each and one summary. */
export async function runAll(grep: string): Promise<{ passed: number; failed: number }> {
  let passed = 0;
  let failed = 0;
  for (const { name, body } of cases) {
    if (!name.includes(grep)) continue;
    const began = performance.now();
    try {
      await withLimit(body);
      passed++;
      console.log(`  ok ${name} (${Math.round(performance.now() - began)} ms)`);
    } catch (error) {
      failed++;
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      console.log([`  NOT OK ${name}`, ...text.split("\n").map((line) => `  | ${line}`)].join("\n"));
    }
  }
  console.log(`in-host: ${passed} passed, ${failed} failed`);
  return { passed, failed };
}
