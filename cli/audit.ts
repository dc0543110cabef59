/** The words of `backsweep audit`. What it does is in `audit-command.ts`, which is loaded when it is asked for. */
import { DEFAULT_AUDIT_TIMEOUT_MS } from "../runner/audit-messages.js";
import type { CommandSpec, OptionValues } from "./command.js";
import { UsageError } from "./usage-error.js";

/** What is asked for on the command line. */
export interface AuditCall {
  readonly command: "audit";
  readonly file: string;
  readonly engine: string | undefined;
  readonly cases: number;
  readonly seed: number;
  /** null: the default of an audit */
  readonly timeoutMs: number | null;
  readonly memoryBytes: number;
  readonly allowImports: boolean;
  readonly print: "human" | "json";
}

export const DEFAULT_CASES = 200;
const MOST_CASES = 10_000_000;
const DEFAULT_SECONDS = DEFAULT_AUDIT_TIMEOUT_MS / 1000;

export const audit: CommandSpec = {
  name: "audit",
  usage: "FILE",
  summary: "run your own reverse-mode engine on random graphs against ours; name the fault and its line",
  about: [
    "FILE exports one or more audit({ leaf, operations, backward, gradient }) or auditSweep((tape, seed) => cotangents), usually as NAME.audit.ts.",
  ],
  help: { timeout: `seconds each engine may take (default ${DEFAULT_SECONDS})` },
  limitsOnly: true,
  options: {
    engine: { value: "NAME", help: "the exported engine (default: every one)" },
    cases: { value: "N", help: `random graphs an engine is run on (default ${DEFAULT_CASES})` },
    seed: { value: "N", help: "seed of the random graphs (default 0)" },
  },
  finding: "an engine is faulty",
};

function wholeNumber(
  values: OptionValues,
  option: string,
  fallback: number,
  least: number,
  most: number,
): number {
  const text = values.text(option);
  if (text === undefined) return fallback;
  const x = /^[+-]?\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(x) || x < least || x > most)
    throw new UsageError(
      `--${option} ${text}: a whole number${least > 0 ? ` from ${least} to ${most.toLocaleString("en-US")}` : ""} is needed`,
    );
  return x;
}

/** The options that are an audit's own. Throws UsageError. */
export function readAudit(values: OptionValues): Pick<AuditCall, "engine" | "cases" | "seed"> {
  return {
    engine: values.text("engine"),
    cases: wholeNumber(values, "cases", DEFAULT_CASES, 1, MOST_CASES),
    seed: wholeNumber(values, "seed", 0, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  };
}
