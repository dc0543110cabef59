/**
 * What the reverse sweep evaluates again must give what the forward pass gave. Random numbers, clocks, counters of
 * calls and globals that others set do not; the derivative is then that of another function.
 */
import type { FileFacts } from "../facts.js";
import { place } from "../overwriting/words.js";
import { everySeverity, type Finding, type Rule } from "../report.js";
import { bare, child, endOf, identifier, isMember, startOf, type Node } from "../tree.js";
import { bothPasses } from "./nondeterministic-replay/both-passes.js";
import { drawnAgain } from "./nondeterministic-replay/drawn-again.js";
import { sourceCall } from "./nondeterministic-replay/draws.js";
import { replayed } from "./nondeterministic-replay/replayed.js";
import { mayGiveElse, runAgain } from "./nondeterministic-replay/run-again.js";
import { segments } from "./nondeterministic-replay/segments.js";
import { sourcesIn, type Source } from "./nondeterministic-replay/sources.js";
import { contributionsOf, showsContributions, showsRules } from "./shared/contributions.js";
import { nodesIn } from "./shared/nodes.js";
import { showsPullbacks } from "./shared/pullbacks.js";

export const nondeterministicReplay: Rule = {
  name: "nondeterministic-replay",
  summary: "code that the reverse sweep runs again draws random numbers, reads a clock or counts its calls",
  severity: everySeverity("warning"),
  *check(facts: FileFacts): Iterable<Finding> {
    if (!mayDraw(facts)) return;
    const engine = showsContributions(facts) || showsRules(facts);
    // a checkpoint of stages that hand closures back shows itself by running them again
    const pulls = !engine && showsPullbacks(facts);
    if (!engine && !pulls && !runsTwice(facts)) return;
    const again = engine ? replayed(facts) : pulls ? segments(facts) : [];
    const taken = new Set<Node>();
    const found: Finding[] = [];
    for (const run of again)
      for (const { node, what } of sourcesIn(facts, run)) {
        if (taken.has(node)) continue;
        taken.add(node);
        found.push({
          start: startOf(node),
          end: endOf(node),
          message: `${what} in code that the reverse sweep runs: it gives something else than in the forward pass, and the gradient is that of another function. Draw it once, in the forward pass, and keep it.`,
          evidence: "structural",
          related: run.why === null ? [] : [place(run.why, "run in the reverse sweep here")],
        });
      }
    if (engine || pulls)
      for (const { node, what } of [...inContributions(facts), ...drawnAgain(facts)]) {
        if (taken.has(node)) continue;
        taken.add(node);
        found.push({
          start: startOf(node),
          end: endOf(node),
          message: `${what} as a factor of a contribution: it gives something else than in the forward pass, and the gradient is that of another function. Draw it once, in the forward pass, and keep it.`,
          evidence: "structural",
        });
      }
    if (!facts.names.minified)
      for (const { node, what, why } of runAgain(facts, found))
        found.push({
          start: startOf(node),
          end: endOf(node),
          message: `${what} in code of the forward pass that the reverse sweep runs again: it gives something else then, and the gradient is that of another function. Draw it once, in the forward pass, and keep it.`,
          evidence: "structural",
          related: [place(why, "run in the reverse sweep here")],
        });
    found.sort((a, b) => a.start - b.start);
    yield* found;
  },
};

/** `xBar *= ...` of a local that is named for one. */
const isCotangent = (facts: FileFacts, store: Node): boolean => {
  const name = identifier(bare(child(store, "left")!));
  return name !== null && facts.names.gradient(name) === 2;
};

/** A first look, for most code has none of these. */
const WORDS =
  /adjoint|gradient(?!Transform|Units|[-_](?:transform|units))|cotangent|\bgrad\b|\bsens\b|[a-z](?:Bar|Grad|Sens|Adj)\b|vjp|pullback/;
const DRAWS = /\brandom\b|Date\.now|performance\.now|hrtime|\.next\(|imul/;

/** Functions of the file, which may only count where a cotangent is named, run in a forward pass and again in a sweep that hands cotangents on. */
const runsTwice = (facts: FileFacts): boolean => {
  if (facts.names.minified) return false;
  if (!WORDS.test(facts.text)) return false;
  const draws = DRAWS.test(facts.text);
  if (!draws && !facts.assignments.some((node) => isCotangent(facts, node))) return false;
  const both = bothPasses(facts);
  if (both === null || !(draws || both.chained) || !mayGiveElse(facts, both)) return false;
  return [...both.again.keys()].some((fn) => both.forward.has(fn));
};

/** `bar[a] += bar[o] * (Math.random() < keep ? 1 : 0)`: drawn where the operand is paid, in whatever the sweep is written. */
function* inContributions(facts: FileFacts): Iterable<Source> {
  for (const { write, weighed } of contributionsOf(facts)) {
    if (!weighed!.carried || !weighed!.reverse) continue;
    for (const type of ["CallExpression", "NewExpression"])
      for (const call of nodesIn(facts, type, write.node)) {
        const what = sourceCall(facts, call);
        if (what !== null) yield { node: call, what };
      }
  }
}

/** Something to draw, a clock, or a variable of the module or a field of one that a function changes. */
const mayDraw = (facts: FileFacts): boolean =>
  /\brandom|\bDate\b|performance|process\.|crypto|\.next\(|imul|>>>|\w\.\w+(?:\+\+| \+= 1\b)|this\.\w+ \+=|= !\w+\./i.test(
    facts.text,
  ) ||
  [...facts.updates, ...facts.assignments].some((node) => {
    const target = bare(child(node, node.type === "UpdateExpression" ? "argument" : "left")!);
    const binding = facts.binding(isMember(target) ? child(target, "object")! : target);
    return binding?.kind === "variable" && binding.scope.type === "Program";
  });
