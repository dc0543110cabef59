/**
 * The names of the rules, by which a command line is checked. The rules themselves are loaded when something is linted; a test
 * holds that the two lists are one.
 */
export const ruleNames: readonly string[] = [
  "overwriting-accumulation",
  "not-reverse-topological",
  "same-operand",
  "overwritten-backward",
  "aliased-cotangent",
  "dropped-upstream",
  "missing-unbroadcast",
  "stale-gradient",
  "mutated-saved-value",
  "nondeterministic-replay",
  "unknown-op-identity",
];
