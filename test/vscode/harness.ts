/** A test runner of a few lines, so that the suite needs no framework inside the extension host. */
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

/**
 * Measures the longest time the event loop was held while `body` runs, in milliseconds. A pause counts only as far as
 * this process worked in it: on a busy machine it may also just have waited for a processor.
 */
export async function lagDuring<T>(body: () => Promise<T>): Promise<{ value: T; lag: number }> {
  const PERIOD = 5;
  let last = performance.now();
  let usage = process.cpuUsage();
  let lag = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(usage);
    usage = process.cpuUsage();
    lag = Math.max(lag, Math.min(now - last - PERIOD, (user + system) / 1000));
    last = now;
  }, PERIOD);
  try {
    const value = await body();
    return { value, lag };
  } finally {
    clearInterval(timer);
  }
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
