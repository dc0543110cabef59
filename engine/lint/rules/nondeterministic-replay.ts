/**
 * What the reverse sweep evaluates again must give what the forward pass gave. Random numbers, clocks, counters of
 * calls and globals that others set do not; the derivative is then that of another function.
 */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { localFunction } from "../local.js";
import { assignmentsTo, groupBy } from "../lookups.js";
import { place } from "../overwriting/words.js";
import { everySeverity, type Finding, type Rule } from "../report.js";
import type { Binding } from "../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  identifier,
  isFunction,
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../tree.js";
import { isMadeOnce } from "./nondeterministic-replay/made-once.js";
import { replayed } from "./nondeterministic-replay/replayed.js";
import { contributionsOf, showsContributions, showsRules } from "./shared/contributions.js";
import { callsIn, inside, newsIn, nodesIn, runsIn } from "./shared/nodes.js";

export const nondeterministicReplay: Rule = {
  name: "nondeterministic-replay",
  summary: "code that the reverse sweep runs again draws random numbers, reads a clock or counts its calls",
  severity: everySeverity("warning"),
  *check(facts: FileFacts): Iterable<Finding> {
    if (!showsContributions(facts) && !showsRules(facts)) return;
    const taken = new Set<Node>();
    const found: Finding[] = [];
    for (const { fn, why, twice } of replayed(facts))
      for (const { node, what } of sourcesIn(facts, fn, twice)) {
        if (taken.has(node)) continue;
        taken.add(node);
        found.push({
          start: startOf(node),
          end: endOf(node),
          message: `${what} in code that the reverse sweep runs: it gives something else than in the forward pass, and the gradient is that of another function. Draw it once, in the forward pass, and keep it.`,
          evidence: "structural",
          related: why === null ? [] : [place(why, "run in the reverse sweep here")],
        });
      }
    for (const { node, what } of inContributions(facts)) {
      if (taken.has(node)) continue;
      taken.add(node);
      found.push({
        start: startOf(node),
        end: endOf(node),
        message: `${what} as a factor of a contribution: it gives something else than in the forward pass, and the gradient is that of another function. Draw it once, in the forward pass, and keep it.`,
        evidence: "structural",
      });
    }
    found.sort((a, b) => a.start - b.start);
    yield* found;
  },
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

interface Source {
  readonly node: Node;
  readonly what: string;
}

/** Sources in a function, and calls of local functions that have one. */
function sourcesIn(facts: FileFacts, fn: Fn, twice: boolean): readonly Source[] {
  const out: Source[] = [];
  for (const call of [...callsIn(facts, fn), ...newsIn(facts, fn)]) {
    const what = sourceCall(facts, call);
    if (what !== null) out.push({ node: call, what });
    else {
      const local = call.type === "NewExpression" ? null : localFunction(facts, call);
      const deep = local === null || local === fn ? null : unsteady(facts, local, 0);
      if (deep !== null) out.push({ node: call, what: `\`${local!.name}\` (${deep})` });
    }
  }
  const counted = counterIn(facts, fn);
  if (counted !== null) out.push(counted);
  if (twice) {
    const global = globalIn(facts, fn);
    if (global !== null) out.push(global);
  }
  return out;
}

/** What makes a local function give something else each time, through what it calls. */
function unsteady(facts: FileFacts, fn: Fn, depth: number): string | null {
  const cache = facts.once("unsteady", () => new Map<Fn, string | null>());
  const known = cache.get(fn);
  if (known !== undefined || depth > 5) return known ?? null;
  cache.set(fn, null);
  let found: string | null = null;
  for (const call of callsIn(facts, fn)) {
    const what = sourceCall(facts, call);
    const local = what === null ? localFunction(facts, call) : null;
    found ??= what ?? (local === null || local === fn ? null : unsteady(facts, local, depth + 1));
  }
  found ??= counterIn(facts, fn)?.what ?? null;
  cache.set(fn, found);
  return found;
}

/** `Math.random()`, `Date.now()`, `performance.now()`, `new Date()`, `crypto.getRandomValues(...)`. */
function sourceCall(facts: FileFacts, call: Node): string | null {
  const name = calleeName(call) ?? "";
  const object = receiver(call);
  const on = object === null ? "" : (identifier(bare(object)) ?? propertyName(bare(object)) ?? "");
  if (object !== null && facts.binding(object) !== null) return null;
  if (on === "Math" && name === "random") return "`Math.random`";
  if ((on === "Date" || on === "performance") && name === "now") return `\`${on}.now\``;
  if (on === "process" && /^(?:hrtime|uptime)$/.test(name)) return `\`process.${name}\``;
  if (on === "crypto" && /^random|^getRandom/.test(name)) return `\`crypto.${name}\``;
  if (call.type === "NewExpression" && name === "Date" && argumentsOf(call).length === 0)
    return "`new Date()`";
  return null;
}

/** A variable from outside that the function changes and decides or computes by. */
function counterIn(facts: FileFacts, fn: Fn): Source | null {
  for (const { node, binding } of countersOf(facts).get(fn) ?? []) {
    if (facts.names.gradient(binding.name) === 2) continue;
    const used = nodesIn(facts, "Identifier", fn.node).some(
      (one) =>
        one.name === binding.name &&
        !inside(one, node) &&
        runsIn(facts, one) === fn &&
        facts.scopes.resolve(one) === binding &&
        decides(one),
    );
    const decidesAtOnce = decides(node);
    if (used || decidesAtOnce) return { node, what: `a counter of calls, \`${binding.name}\`,` };
  }
  return null;
}

interface Counting {
  readonly node: Node;
  readonly binding: Binding;
  readonly fn: Fn | null;
}

/** Variables of the module that functions count up, by the function. */
const countersOf = (facts: FileFacts): ReadonlyMap<Fn, readonly Counting[]> =>
  facts.once("counters", (file) => {
    const found: Counting[] = [];
    for (const node of [...file.updates, ...file.assignments.filter(({ operator }) => operator !== "=")]) {
      const binding = file.binding(child(node, node.type === "UpdateExpression" ? "argument" : "left")!);
      if (binding !== null && binding.scope.type === "Program" && binding.kind === "variable")
        found.push({ node, binding, fn: runsIn(file, node) });
    }
    return groupBy(found, ({ fn }) => fn);
  });

/** Stands in a test, a comparison or arithmetic; a number that names a node does not. */
function decides(node: Node): boolean {
  for (let from = node, at = node.parent; at != null && !isFunction(at); from = at, at = at.parent) {
    if (/^(?:Binary|Unary)Expression$/.test(at.type)) return true;
    if (/^(?:If|Conditional|While)/.test(at.type)) return child(at, "test") === from;
    if (isMember(at) && at.computed === true && child(at, "property") === from) return true;
    if (/Statement$|Declarator$|Property$|CallExpression|NewExpression/.test(at.type)) return false;
  }
  return false;
}

/** A variable of the module that another function sets, read in a test or in arithmetic. */
function globalIn(facts: FileFacts, fn: Fn): Source | null {
  for (const node of nodesIn(facts, "Identifier", fn.node)) {
    if (runsIn(facts, node) !== fn) continue;
    const binding = facts.scopes.resolve(node);
    if (binding === null || binding.scope.type !== "Program" || binding.kind !== "variable") continue;
    const set = assignmentsTo(facts, binding).find(
      (other) => facts.home(other) !== null && facts.home(other) !== fn,
    );
    if (set === undefined || /grad|enabled|record|tape|trac/i.test(binding.name)) continue;
    if (isMadeOnce(facts, binding)) continue;
    if (decides(node) || nodesIn(facts, "BinaryExpression", fn.node).some((part) => inside(node, part)))
      return { node, what: `\`${binding.name}\`, a global that other code sets,` };
  }
  return null;
}
