/** Options of every rule: the names of the project, and how strong the evidence must be. */
import type { LintOptions } from "../engine/lint/options.js";
import type { Report } from "../engine/lint/report.js";
import type { Context, RuleModule } from "./types.js";

/**
 * What is reported: "proven" by operations of the same engine (or a graph), "structural" also what the shape of the code
 * says. "all" adds single-use chains where there is a severity for information, which ESLint has not.
 */
export type EvidenceWanted = "proven" | "structural" | "all";

export interface RuleOptions {
  readonly evidence?: EvidenceWanted;
  readonly gradientNames?: readonly string[];
  readonly resetNames?: readonly string[];
  readonly helperNames?: readonly string[];
  readonly assumeChain?: boolean;
}

const names = (description: string): object => ({
  type: "array",
  items: { type: "string", minLength: 1 },
  uniqueItems: true,
  description,
});

export const schema: RuleModule["meta"]["schema"] = [
  {
    type: "object",
    properties: {
      evidence: {
        enum: ["proven", "structural", "all"],
        description: "What is reported; structural where it is not said.",
      },
      gradientNames: names("Further names of gradient slots: words, or regular expressions in slashes."),
      resetNames: names("Further names of functions that set gradients back to nothing."),
      helperNames: names("Further names of functions that add a contribution into a slot."),
      assumeChain: { type: "boolean", description: "Take every value to be used once." },
    },
    additionalProperties: false,
  },
];

export interface Settled {
  readonly evidence: EvidenceWanted;
  readonly lint: LintOptions;
}

/** The rule's options over `settings.backsweep`, which all rules share. Throws a plain Error on a bad expression. */
export function settle({ options, settings }: Context): Settled {
  const shared = (settings.backsweep ?? {}) as RuleOptions;
  const { evidence, ...names } = { ...shared, ...((options[0] ?? {}) as RuleOptions) };
  for (const key of ["gradientNames", "resetNames", "helperNames"] as const)
    for (const name of names[key] ?? []) check(key, name);
  return { evidence: evidence ?? "structural", lint: names };
}

function check(option: string, name: string): void {
  const pattern = /^\/(.+)\/([imsu]*)$/.exec(name);
  if (pattern === null) return;
  try {
    new RegExp(pattern[1], pattern[2]);
  } catch (error) {
    throw new Error(`backsweep: ${option}: ${name} is no regular expression`, { cause: error });
  }
}

/** A report is information where its slot has one writer: that never appears here. */
export function isWanted({ evidence: by, severity }: Report, wanted: EvidenceWanted): boolean {
  if (severity === "info" || by === "single-use") return false;
  return wanted !== "proven" || by.startsWith("proven");
}
