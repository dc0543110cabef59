/** What fills a buffer that is older than the turn or the call at hand: stores, helpers that it is handed to, its own methods, two buffers in turn. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { localFunction } from "../../local.js";
import { partOf } from "../../lookups.js";
import { argumentsOf, bare, child, children, isMember, receiver, within, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf, type Write } from "../../writes.js";
import { partsOf, runsIn } from "../shared/nodes.js";
import { counted } from "./counted.js";
import { changesIn } from "./shared-arrays.js";

/** A place by its key, under its name. */
export interface Place {
  readonly key: string;
  readonly name: string;
  /** any place whose key starts so: the buffers of a ring, the arrays of a record */
  readonly prefix?: boolean;
}

const isAt = ({ key, prefix }: Place, other: string): boolean =>
  prefix === true ? other.startsWith(key) : other === key;

/** A store into the elements of the place, other ones than the loop's own turn, or a call that fills it; `among` says which nodes count. */
export function fillOf(
  facts: FileFacts,
  place: Place,
  region: Node,
  among: (node: Node) => boolean = () => true,
): Node | null {
  if (facts.names.gradient(place.name) > 0) return null;
  const write = writesOf(facts).find(
    (one) =>
      within(one.node, region) &&
      isAt(place, filledKey(one) ?? "") &&
      (one.index === null || isOfEachTurn(facts, one.index, region)) &&
      among(one.node),
  );
  return write?.node ?? fillingCall(facts, place, region, among);
}

/** The array whose content a write changes, null for whole fields. */
export function filledKey({ element, container, form, objectKey, name }: Write): string | null {
  if (!/^(?:assign|add|scale|buffer-set)$/.test(form)) return null;
  if (element) return container;
  return form === "buffer-set" ? `${objectKey}.${name}` : null;
}

/** `h[i]`, and neither `h[0]` nor `h[t]` of the turn `t`. */
const isOfEachTurn = (facts: FileFacts, index: Node, loop: Node): boolean =>
  bare(index).type !== "Literal" &&
  !partsOf(index).some((part) => part.type === "Identifier" && facts.binding(part)?.scope === loop);

/** `axpy(dt, f, y)` of a helper that writes into its last parameter, `dir.set(x, y, z)` of a class with such a method. */
export function fillingCall(
  facts: FileFacts,
  place: Place,
  region: Node,
  among: (node: Node) => boolean = () => true,
): Node | null {
  if (facts.names.gradient(place.name) > 0) return null;
  const values = valuesOf(facts);
  return (
    partOf(facts.calls, region).find((call) => {
      if (!among(call)) return false;
      const object = receiver(call);
      const at = argumentsOf(call).findIndex((one) => isPlace(one) && isAt(place, values.key(one)));
      const own = object !== null && isPlace(object) && isAt(place, values.key(object));
      if (at < 0 && !own) return false;
      const fn = localFunction(facts, call);
      return fn !== null && ((at >= 0 && fills(facts, fn, at)) || (own && mutates(facts, fn)));
    }) ?? null
  );
}

/** The function writes over its parameter from the start on, not into a stretch that another one tells. */
function fills(facts: FileFacts, fn: Fn, at: number): boolean {
  if (!changesIn(facts, fn).has(at)) return false;
  const key = valuesOf(facts).key(fn.params[at]);
  return writesOf(facts).every(
    ({ node, element, container, index }) =>
      !element || container !== key || runsIn(facts, node) !== fn || index === null || counted(facts, index),
  );
}

/** A name or a field: what is made in the call is nobody's. */
function isPlace(node: Node): boolean {
  const inner = bare(node);
  return inner.type === "Identifier" || isMember(inner);
}

/** The method stores into fields or elements of its own object. */
function mutates(facts: FileFacts, fn: Fn): boolean {
  if (fn.kind !== "method" && fn.storedOn === null && fn.node.parent?.type !== "Property") return false;
  return writesOf(facts).some(
    ({ node, objectKey }) => objectKey === "this" && within(node, fn.node) && runsIn(facts, node) === fn,
  );
}

/** `[a, b] = [b, a]`, `const t = a; a = b; b = t;`: in the loop the place holds nothing but one of two buffers. The other one. */
export function swappedWith(facts: FileFacts, key: string, loop: Node): string | null {
  const values = valuesOf(facts);
  const stores = new Map<string, string[]>();
  const note = (left: Node, right: Node): void => {
    const to = values.key(left);
    stores.set(to, [...(stores.get(to) ?? []), values.key(right)]);
  };
  for (const node of partOf(facts.assignments, loop)) {
    if (node.operator !== "=") continue;
    const left = bare(child(node, "left")!);
    const right = bare(child(node, "right")!);
    if (left.type === "ArrayPattern" && right.type === "ArrayExpression")
      children(left, "elements").forEach((target, i) => {
        const value = children(right, "elements")[i];
        if (target !== null && value != null) note(target, value);
      });
    else note(left, right);
  }
  const mine = new Set(stores.get(key) ?? []);
  if (mine.size !== 1) return null;
  const [other] = mine;
  const theirs = stores.get(other) ?? [];
  return other !== key && theirs.length > 0 && theirs.every((one) => one === key) ? other : null;
}

/** The one stands in a branch that the other is not in. */
export function exclusive(one: Node, other: Node): boolean {
  for (let at = one.parent; at != null; at = at.parent)
    if (/^(?:If|Switch|Conditional)/.test(at.type) && !within(other, at)) return true;
    else if (at.type === "IfStatement") {
      const [yes, no] = [child(at, "consequent")!, child(at, "alternate")];
      if (no !== null && within(one, yes) !== within(other, yes)) return true;
    }
  return false;
}
