/** Parameters that are stepped, clipped or normalized after a loss was made of them and before its sweep has read them. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { localFunction } from "../../local.js";
import { callsFrom } from "../../lookups.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import type { Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  identifier,
  isMember,
  propertyName,
  receiver,
  startOf,
  walk,
  type Node,
} from "../../tree.js";
import { isPropertyPosition } from "../../value-forms.js";
import { valuesOf } from "../../values.js";
import { writesOf } from "../../writes.js";
import { inside } from "../shared/nodes.js";
import { exclusive } from "./refills.js";
import { savedFields } from "./saved.js";

const savedNames = (facts: FileFacts): ReadonlySet<string> =>
  facts.once("names of saved fields", (file) => new Set(savedFields(file).map(({ field }) => field)));

/** A sweep from a variable of the function that runs it. */
export interface Sweep {
  readonly call: Node;
  readonly root: Binding;
  /** where the root was made last */
  readonly made: Node;
}

export function* beforeSweep(facts: FileFacts): Iterable<Finding> {
  const fields = savedNames(facts);
  if (fields.size === 0) return;
  for (const [home, sweeps] of sweepsByFunction(facts)) {
    for (const change of changesIn(facts, home, fields)) {
      const sweep = sweeps.find(
        ({ call, made }) =>
          startOf(change.node) > endOf(made) &&
          endOf(change.node) < startOf(call) &&
          !exclusive(call, change.node) &&
          !exclusive(change.node, call) &&
          !exclusive(made, change.node),
      );
      if (sweep === undefined || sweptBefore(sweep, sweeps, change.node)) continue;
      if (!belongs(facts, home, change, sweep, sweeps)) continue;
      yield {
        start: startOf(change.node),
        end: endOf(change.node),
        message: `\`${facts.source(change.node).replace(/\s+/g, " ").slice(0, 50)}\` changes values that \`${sweep.root.name}\` was made of (line ${lineOf(facts, sweep.made)}) before its sweep reads them (line ${lineOf(facts, sweep.call)}). Change them after it.`,
        evidence: "structural",
        related: [place(sweep.call, "swept here"), place(sweep.made, "made here")],
      };
    }
  }
}

/** `loss.backward()`, `backward(loss)` of a local that was made before. */
export const sweepsByFunction = (facts: FileFacts): ReadonlyMap<Fn, readonly Sweep[]> =>
  facts.once("sweeps from locals by function", collectSweeps);

function collectSweeps(facts: FileFacts): ReadonlyMap<Fn, readonly Sweep[]> {
  const out = new Map<Fn, Sweep[]>();
  for (const call of facts.calls) {
    const name = calleeName(call) ?? "";
    const home = facts.home(call);
    if (home === null || name === "reverse" || !facts.names.backward(name)) continue;
    const object = receiver(call);
    const root = [object, argumentsOf(call)[0]]
      .map((one) => (one == null ? null : facts.binding(one)))
      .find((one) => one?.kind === "variable" && facts.scopes.declaredIn(one, home.node));
    if (root == null) continue;
    const made = root.definitions
      .filter(({ kind, at }) => kind !== "element" && endOf(at) < startOf(call))
      .map(({ at }) => at)
      .sort((a, b) => startOf(a) - startOf(b))
      .at(-1);
    if (made !== undefined && bare(root.definitions[0].expression).type !== "ThisExpression")
      out.set(home, [...(out.get(home) ?? []), { call, root, made }]);
  }
  return out;
}

interface Change {
  readonly node: Node;
  /** the list or the object that is changed */
  readonly holder: Node | null;
  readonly key: string;
}

/** `for (const p of params) p.data = ...`, `w.data -= ...`, and calls of functions that do so with what they are handed. */
function* changesIn(facts: FileFacts, home: Fn, fields: ReadonlySet<string>): Iterable<Change> {
  const values = valuesOf(facts);
  for (const { node, name, objectKey, object, form } of writesOf(facts))
    if (
      object !== null &&
      fields.has(name) &&
      facts.home(node) === home &&
      /^(?:assign|add|scale|buffer-set)$/.test(form)
    )
      yield { node, holder: listOf(facts, object), key: objectKey };
  for (const call of callsFrom(facts, home)) {
    const fn = facts.names.backward(calleeName(call) ?? "") ? null : localFunction(facts, call);
    if (fn === null || fn === home) continue;
    for (const [at, argument] of argumentsOf(call).entries()) {
      const param = fn.params[at];
      if (param === undefined || identifier(bare(argument)) === null) continue;
      const key = `${values.key(param)}[`;
      const moves = writesOf(facts).some(
        ({ node, name, objectKey }) => fields.has(name) && objectKey.startsWith(key) && inside(node, fn.node),
      );
      if (moves) yield { node: call, holder: bare(argument), key: `${values.key(argument)}[*]` };
    }
  }
}

/** The list that a loop takes the object from, or the object itself. */
function listOf(facts: FileFacts, object: Node): Node | null {
  let root = bare(object);
  while (isMember(root)) root = bare(child(root, "object")!);
  const binding = facts.binding(root);
  const [made] = binding?.definitions ?? [];
  return made?.path[0] === "[*]" ? bare(made.expression) : root;
}

/** Another sweep of the same graph stands between: it has read the values. */
const sweptBefore = (sweep: Sweep, sweeps: readonly Sweep[], change: Node): boolean =>
  sweeps.some(
    ({ call, root }) =>
      call !== sweep.call &&
      root === sweep.root &&
      startOf(call) > endOf(sweep.made) &&
      startOf(call) < startOf(change),
  );

/** The loss was made of what is changed: by the names in both, or since the one sweep pays what is zeroed or stepped here. */
function belongs(
  facts: FileFacts,
  home: Fn,
  change: Change,
  sweep: Sweep,
  sweeps: readonly Sweep[],
): boolean {
  // the loss itself may be scaled for a log
  if (change.holder === null || facts.binding(change.holder) === sweep.root) return false;
  const own = rootsOf(facts, change.holder, home);
  const theirs = new Set<Binding>();
  for (const { expression } of sweep.root.definitions)
    for (const one of rootsOf(facts, expression, home)) theirs.add(one);
  if (own.size > 0 && [...own].every((one) => theirs.has(one))) return true;
  // `p.grad = 0`, `p.data -= rate * p.grad` of the same list
  return (
    sweeps.length === 1 &&
    change.key.includes("[") &&
    writesOf(facts).some(
      ({ node, name, objectKey }) =>
        facts.home(node) === home && objectKey === change.key && facts.names.gradient(name) > 0,
    )
  );
}

/** Parameters and names from outside that a value is made of, through the locals of the function. */
function rootsOf(facts: FileFacts, value: Node, home: Fn): ReadonlySet<Binding> {
  const fields = savedNames(facts);
  const out = new Set<Binding>();
  const seen = new Set<Binding>();
  const queue = [value];
  while (queue.length > 0)
    walk(queue.pop()!, (part) => {
      // `target.score(x).data`: a number, which no sweep goes through
      if (isMember(part) && fields.has(propertyName(part) ?? "")) return false;
      if (part.type !== "Identifier" || isPropertyPosition(part)) return;
      const binding = facts.scopes.resolve(part);
      if (binding === null || seen.has(binding) || /^(?:function|class|import)$/.test(binding.kind)) return;
      seen.add(binding);
      const made = binding.definitions.filter(({ kind }) => kind !== "element");
      const local = binding.kind === "variable" && inside(binding.declaration, home.node);
      if (!local) out.add(binding);
      else for (const { expression } of made) queue.push(expression);
      return;
    });
  return out;
}
