/** The engines of the two galleries, loaded in this process: nothing is observed, everything else is as in the runner. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isAudit, type AuditDefinition } from "../../../engine/audit/definition.js";

export const examples = fileURLToPath(new URL("../../../examples/", import.meta.url));

export interface Engine {
  readonly file: string;
  readonly name: string;
  readonly definition: AuditDefinition;
}

export async function gallery(folder: "faulty-engines" | "correct-engines"): Promise<Engine[]> {
  const out: Engine[] = [];
  for (const file of readdirSync(join(examples, folder)).filter((name) => name.endsWith(".audit.ts"))) {
    const module = (await import(join(examples, folder, file))) as Record<string, unknown>;
    for (const [name, definition] of Object.entries(module))
      if (isAudit(definition)) out.push({ file, name, definition });
  }
  return out;
}

/** The fault class each engine of the gallery has. */
export const faults: Readonly<Record<string, string>> = {
  aliasing: "aliasing",
  doubleCounting: "double counting",
  droppedBranch: "dropped second branch",
  everyArrival: "total pushed on each arrival",
  everyPath: "exponential revisits",
  exponential: "exponential revisits",
  firstMet: "recursion without order",
  firstParentOnly: "dropped second branch",
  jitter: "replay with new randomness or another branch",
  magnitudes: "wrong local derivative",
  neverCleared: "stale gradients",
  notReversed: "post-order",
  oneSlot: "one slot per loop",
  overwrite: "overwrite",
  overwritten: "overwrite",
  postOrder: "post-order",
  recursionWithoutOrder: "recursion without order",
  replayBranch: "replay with new randomness or another branch",
  replayRandomness: "replay with new randomness or another branch",
  staleGradients: "stale gradients",
  totalOnArrival: "total pushed on each arrival",
  writeAfterRead: "write after read",
  wrongLocal: "wrong local derivative",
};
