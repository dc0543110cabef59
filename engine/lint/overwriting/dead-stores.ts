/**
 * A cotangent that is stored over before anybody has read it: `ab += ub * c; ab = sb;`. In an adjoint that is written out
 * statement by statement a variable that is used twice is paid twice, and the second payment has to add to the first.
 */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { namesOf, partOf } from "../lookups.js";
import { loopsAround } from "../reverse.js";
import type { Binding } from "../scopes.js";
import { bare, child, endOf, isFunction, isMember, startOf, within, type Node } from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { assignmentsIn, isAdjoint, isCotangentPlace, readsCotangent } from "./cotangents.js";
import { branchOf } from "./guards.js";
import { multiplies } from "./parts.js";
import { isBlank } from "./slots.js";

/** A store over a value that nobody has read. */
export interface DeadStore {
  /** what is reported */
  readonly node: Node;
  readonly target: Node;
  /** what is lost */
  readonly lost: Node;
  /** null for locals */
  readonly write: Write | null;
}

interface Store {
  readonly node: Node;
  readonly target: Node;
  readonly value: Node;
  /** takes the place of what was there */
  readonly covers: boolean;
}

export const deadStores = (facts: FileFacts): readonly DeadStore[] =>
  facts.once("dead stores", (file) => {
    if (file.names.minified) return [];
    const out: DeadStore[] = [];
    for (const home of assignmentsIn(file).keys()) {
      if (!isAdjoint(file, home)) continue;
      for (const stores of storesByPlace(file, home).values())
        for (let at = 1; at < stores.length; at++) {
          const [first, second] = [stores[at - 1], stores[at]];
          if (!isLost(file, home, first, second)) continue;
          const write = writesOf(file).find(({ node }) => node === second.node) ?? null;
          out.push({ node: second.node, target: second.target, lost: first.node, write });
        }
    }
    return out;
  });

/** Stores into places that are named for cotangents, by the place, in the order of the text. */
function storesByPlace(facts: FileFacts, home: Fn): ReadonlyMap<string, readonly Store[]> {
  const out = new Map<string, Store[]>();
  const note = (store: Store): void => {
    const place = bare(store.target);
    if (place.type !== "Identifier" && !isMember(place)) return;
    if (!isCotangentPlace(facts, place, home)) return;
    // a local that only renames another place is one of its own
    const binding = place.type === "Identifier" ? facts.scopes.resolve(place) : null;
    const key = binding === null ? valuesOf(facts).key(place) : `#${binding.id}`;
    if (key.includes("?")) return;
    const list = out.get(key);
    if (list === undefined) out.set(key, [store]);
    else list.push(store);
  };
  for (const node of declaredIn(facts, home)) {
    const value = child(node, "init");
    if (value !== null) note({ node, target: child(node, "id")!, value, covers: true });
  }
  for (const node of assignmentsIn(facts).get(home) ?? [])
    note({
      node,
      target: child(node, "left")!,
      value: child(node, "right")!,
      covers: node.operator === "=",
    });
  for (const stores of out.values()) stores.sort((a, b) => startOf(a.node) - startOf(b.node));
  return out;
}

/** `let` and `var`: what is constant is stored once. */
const declaredIn = (facts: FileFacts, home: Fn): readonly Node[] =>
  partOf(facts.declarators, home.node).filter(
    (node) =>
      node.parent?.kind !== "const" && child(node, "id")!.type === "Identifier" && facts.home(node) === home,
  );

function isLost(facts: FileFacts, home: Fn, first: Store, second: Store): boolean {
  if (!second.covers || isBlank(facts, first.value) || isBlank(facts, second.value)) return false;
  if (isFunction(bare(second.value)) || startOf(second.node) < endOf(first.node)) return false;
  // one of the two is worked out of a cotangent, and neither is a mere number or name of something else
  if (![first, second].every(({ value }) => speaks(facts, value, home))) return false;
  if (!readsCotangent(facts, first.value, home) && !readsCotangent(facts, second.value, home)) return false;
  return follows(facts, first.node, second.node, home) && !isReadBetween(facts, home, first, second);
}

const speaks = (facts: FileFacts, value: Node, home: Fn): boolean =>
  readsCotangent(facts, value, home) || multiplies(facts, value);

/** The second is reached whenever the first was, in the same turn of the loops around it. */
function follows(facts: FileFacts, first: Node, second: Node, home: Fn): boolean {
  return (
    branchOf(second, home.node).every(({ branch }) => within(first, branch)) &&
    loopsAround(facts, second).every(({ node }) => within(first, node)) &&
    !leavesBetween(facts, first, second)
  );
}

const LEAVING = ["ReturnStatement", "ThrowStatement", "BreakStatement", "ContinueStatement"];

const leavesBetween = (facts: FileFacts, first: Node, second: Node): boolean =>
  LEAVING.some((type) =>
    (facts.byType.get(type) ?? []).some(
      (node) => startOf(node) > endOf(first) && startOf(node) < startOf(second),
    ),
  );

function isReadBetween(facts: FileFacts, home: Fn, first: Store, second: Store): boolean {
  // what stands before the first in a loop around it alone runs after it, too
  const loop = loopsAround(facts, first.node).findLast(({ node }) => !within(second.node, node));
  const from = loop === undefined ? endOf(first.node) : startOf(loop.node);
  const place = bare(second.target);
  const key = valuesOf(facts).key(place);
  const binding = rootBinding(facts, place);
  const names = binding === null ? (facts.byType.get("ThisExpression") ?? []) : namesOf(facts, binding);
  for (const name of names) {
    // a function that runs at another time may read it at any
    if (facts.home(name) !== home && within(name, home.node)) return true;
    if (startOf(name) < from || startOf(name) >= endOf(second.node)) continue;
    const whole = wholePlace(name);
    if (whole === bare(first.target) || whole === place || isOnlyStored(whole)) continue;
    if (mayBe(valuesOf(facts).key(whole), key)) return true;
  }
  // a method may read what hangs on its object
  return binding === null && callsBetween(facts, from, startOf(second.node));
}

const callsBetween = (facts: FileFacts, from: number, to: number): boolean =>
  facts.calls.some((call) => {
    if (startOf(call) < from || startOf(call) >= to) return false;
    const callee = bare(child(call, "callee")!);
    const root = isMember(callee) ? bare(child(callee, "object")!) : callee;
    return !(root.type === "Identifier" && root.name === "Math");
  });

function rootBinding(facts: FileFacts, place: Node): Binding | null {
  let at = place;
  while (isMember(at)) at = bare(child(at, "object")!);
  return at.type === "Identifier" ? facts.scopes.resolve(at) : null;
}

/** `s.bar.x` of its `s`. */
function wholePlace(name: Node): Node {
  let at = name;
  while (at.parent != null && isMember(at.parent) && child(at.parent, "object") === at) at = at.parent;
  return at;
}

/** `x = ...;` and `x += ...;` as statements: what they leave is not looked at. */
function isOnlyStored(place: Node): boolean {
  const store = place.parent;
  return (
    store?.type === "AssignmentExpression" &&
    child(store, "left") === place &&
    store.parent?.type === "ExpressionStatement"
  );
}

/** One is the other, holds it, or is an entry of the same list whose place is not known to differ. */
function mayBe(read: string, stored: string): boolean {
  if (read === stored || stored.startsWith(`${read}.`) || stored.startsWith(`${read}[`)) return true;
  if (read.startsWith(`${stored}.`) || read.startsWith(`${stored}[`)) return true;
  const [own, other] = [read, stored].map((key) => /^(.*)\[(-?\d+|"[^"]*")\]$/.exec(key));
  if (own !== null && other !== null && own[1] === other[1]) return own[2] === other[2];
  const [a, b] = [read, stored].map((key) => key.split("[")[0]);
  return a === b && read.includes("[") && stored.includes("[");
}
