/** The table of rules, in the order of the documentation. A new rule is one file and one row. */
import type { Rule } from "../report.js";
import { aliasedCotangent } from "./aliased-cotangent.js";
import { droppedUpstream } from "./dropped-upstream.js";
import { missingUnbroadcast } from "./missing-unbroadcast.js";
import { mutatedSavedValue } from "./mutated-saved-value.js";
import { nondeterministicReplay } from "./nondeterministic-replay.js";
import { notReverseTopological } from "./not-reverse-topological.js";
import { overwritingAccumulation } from "./overwriting-accumulation.js";
import { overwrittenBackward } from "./overwritten-backward.js";
import { sameOperand } from "./same-operand.js";
import { staleGradient } from "./stale-gradient.js";
import { unknownOpIdentity } from "./unknown-op-identity.js";

export const rules: readonly Rule[] = [
  overwritingAccumulation,
  notReverseTopological,
  sameOperand,
  overwrittenBackward,
  aliasedCotangent,
  droppedUpstream,
  missingUnbroadcast,
  staleGradient,
  mutatedSavedValue,
  nondeterministicReplay,
  unknownOpIdentity,
];

export function ruleNamed(name: string): Rule | undefined {
  return rules.find((rule) => rule.name === name);
}
