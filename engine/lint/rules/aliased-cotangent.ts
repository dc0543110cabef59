/**
 * Two nodes whose gradients are one buffer. As long as nobody writes into it all is well; the first contribution that
 * is added in place is added for both.
 */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { callsOf } from "../local.js";
import { isEntry } from "../overwriting/entries.js";
import { weigh } from "../overwriting/evidence.js";
import { isBlank, paramName, slotNamesOf } from "../overwriting/slots.js";
import { lineOf, place, slotText } from "../overwriting/words.js";
import { everySeverity, type Finding, type Rule, type Suggestion } from "../report.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  isCall,
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { sharedBuffers } from "./aliased-cotangent/buffers.js";
import { keptParts } from "./aliased-cotangent/handed-parts.js";
import { inPlace } from "./aliased-cotangent/in-place.js";
import { makesArray, oneForSeveral } from "./aliased-cotangent/one-for-several.js";
import { backwardClosures, showsContributions } from "./shared/contributions.js";
import { oncePerPlace } from "./shared/once.js";

export const aliasedCotangent: Rule = {
  name: "aliased-cotangent",
  summary: "two nodes share one gradient buffer that is later changed in place",
  severity: everySeverity("error"),
  *check(facts: FileFacts): Iterable<Finding> {
    // a sweep over rules that stand elsewhere, or whose sums are kept by a helper, shows itself by what is kept
    const parts = facts.names.minified ? [] : [...keptParts(facts)];
    // closures that pay by a helper show it, too, whatever the slot is called
    const shown = showsContributions(facts) || (!facts.names.minified && backwardClosures(facts).length > 0);
    if (!shown) yield* oncePerPlace(parts);
    else yield* oncePerPlace([...aliases(facts), ...sharedBuffers(facts), ...oneForSeveral(facts), ...parts]);
  },
};

function* aliases(facts: FileFacts): Iterable<Finding> {
  const slots = slotNamesOf(facts);
  for (const write of writesOf(facts)) {
    if (!/^(?:assign|default|map-set|object-assign)$/.test(write.form)) continue;
    if (facts.names.gradient(write.name) === 0) continue;
    const entry = isEntry(write);
    if (write.element && !entry) continue;
    const home = facts.home(write.node);
    if (home === null || home.kind === "constructor" || facts.names.copying(home.name)) continue;
    // a view that is made here shares on purpose
    if (!entry && write.object !== null && madeHere(facts, write.object, home)) continue;
    // `this.items = new Mat(n); this.dout = this.items.dout;`: its own part, known to nobody else
    if (!entry && ownPart(facts, write, home)) continue;
    const value = viewed(write.value);
    if (value.type !== "Identifier" && !isMember(value) && !(isCall(value) && calleeName(value) === "get"))
      continue;
    if (isBlank(facts, value) || isCopy(facts, value)) continue;
    const changed = inPlace(facts, slots.canonical(write.name), entry);
    if (changed === null) continue;
    const giver = giverOf(facts, write, value, home);
    if (giver === null) continue;
    yield {
      start: startOf(write.node),
      end: endOf(write.node),
      message: `${slotText(facts, write)} becomes the very buffer of \`${giver.text}\`, and line ${lineOf(facts, changed.node)} adds into such a buffer in place: what is added for one node is added for the other. Keep a copy.`,
      evidence: "structural",
      related: [place(changed.node, "changes the shared buffer"), ...giver.related],
      suggestions: copying(facts, write),
    };
  }
}

/** `g` of `g.subarray(0)`, a view into the same buffer. */
function viewed(value: Node): Node {
  const inner = bare(value);
  const view = isCall(inner) && calleeName(inner) === "subarray" ? receiver(inner) : null;
  return view === null ? inner : bare(view);
}

/** `g` of `const g = out.grad.slice()`: who else is given it is asked elsewhere. */
function isCopy(facts: FileFacts, value: Node): boolean {
  const binding = facts.binding(value);
  const [only, ...more] = binding?.kind === "variable" ? binding.definitions : [];
  return only !== undefined && more.length === 0 && only.path.length === 0 && makesArray(only.expression);
}

function madeHere(facts: FileFacts, object: Node, home: Fn): boolean {
  const binding = facts.binding(object);
  return (
    binding !== null &&
    binding.kind === "variable" &&
    facts.scopes.declaredIn(binding, home.node) &&
    binding.definitions.some(
      ({ kind, expression }) => kind === "initial" && bare(expression).type === "NewExpression",
    )
  );
}

/** The buffer belongs to what the same function has just made and hung on the same node. */
function ownPart(facts: FileFacts, write: Write, home: Fn): boolean {
  const value = bare(write.value);
  if (!isMember(value)) return false;
  const values = valuesOf(facts);
  const holder = values.key(child(value, "object")!);
  if (!holder.startsWith(`${write.objectKey}.`)) return false;
  return writesOf(facts).some(
    (other) =>
      other.form === "assign" &&
      !other.element &&
      facts.home(other.node) === home &&
      `${other.objectKey}.${other.name}` === holder &&
      facts.isCall(bare(other.value)),
  );
}

interface Giver {
  readonly text: string;
  readonly related: readonly { readonly start: number; readonly end: number; readonly message: string }[];
}

/** Whose buffer a bare value is: the slot of another node, or what a caller hands over and goes on using. */
function giverOf(facts: FileFacts, write: Write, value: Node, home: Fn): Giver | null {
  const values = valuesOf(facts);
  const slots = slotNamesOf(facts);
  const own = slots.canonical(write.name);
  const key = values.key(value);
  if (isMember(value) || isCall(value) || !/^\w+~\d+$/.test(key)) {
    const field = /\.([\w$#]+)$/.exec(key)?.[1];
    const sameField =
      field !== undefined && slots.canonical(field) === own && key !== `${write.objectKey}.${field}`;
    const sameEntry =
      write.container !== "" &&
      key.startsWith(`${write.container}[`) &&
      key !== `${write.container}[${write.indexKey}]`;
    if (!sameField && !sameEntry) return null;
    const weighed = weigh(facts, write);
    return weighed.own && weighed.operation === null && write.objectKey !== "this"
      ? null
      : { text: facts.source(value), related: [] };
  }
  const binding = facts.binding(value);
  if (binding?.kind !== "param") return null;
  const at = home.params.findIndex((param) => {
    const id = paramName(param);
    return id !== null && facts.scopes.resolve(id) === binding;
  });
  if (at < 0 || binding.defaulted) return null;
  return handedOver(facts, write, home, at, binding.name);
}

/** Calls that hand over a buffer that is somebody's: a slot, or a parameter handed to several. */
function handedOver(facts: FileFacts, write: Write, fn: Fn, at: number, name: string): Giver | null {
  const values = valuesOf(facts);
  const calls = callsOf(facts, fn).filter((call) => argumentsOf(call)[at] !== undefined);
  const kept = calls.filter((call) => {
    const inner = bare(argumentsOf(call)[at]);
    const key = values.key(inner);
    if (isMember(inner))
      return propertyName(inner) !== null && facts.names.gradient(propertyName(inner)!) > 0;
    if (inner.type !== "Identifier") return false;
    const binding = facts.binding(inner);
    if (binding === null) return false;
    if (/\.[\w$#]+$/.test(key)) return facts.names.gradient(/\.([\w$#]+)$/.exec(key)![1]) > 0;
    if (binding.kind !== "param") return false;
    // what a closure is handed belongs to the node whose sweep runs it, and goes to each operand
    return (
      facts.home(call) !== fn &&
      (facts.names.gradient(binding.name) > 0 ||
        calls.some((other) => other !== call && facts.binding(bare(argumentsOf(other)[at])) === binding))
    );
  });
  if (kept.length > 0)
    return {
      text: facts.source(argumentsOf(kept[0])[at]),
      related: kept.slice(0, 3).map((call) => place(call, "hands its own buffer over")),
    };
  // nobody here calls it: the first contribution is the caller's to go on using
  return calls.length === 0 &&
    fn.name !== "" &&
    fn.storedOn === null &&
    facts.names.gradient(name) >= 0 &&
    exported(fn) &&
    guardedFirst(facts, fn, write)
    ? { text: name, related: [] }
    : null;
}

function exported(fn: Fn): boolean {
  for (let at: Node | null | undefined = fn.node; at != null; at = at.parent)
    if (/^Export/.test(at.type)) return true;
  return fn.kind === "method";
}

/** `if (slot === null) slot = g; else slot[i] += g[i]`: a first write and an adding one side by side. */
function guardedFirst(facts: FileFacts, fn: Fn, write: Write): boolean {
  return writesOf(facts).some(
    ({ node, form, element, name, objectKey }) =>
      facts.home(node) === fn &&
      element &&
      form === "add" &&
      name === write.name &&
      objectKey === write.objectKey,
  );
}

function copying(facts: FileFacts, write: Write): readonly Suggestion[] {
  const value = bare(write.value);
  const object = receiver(value);
  if (isCall(value) && object === null) return [];
  return [
    {
      title: "Keep a copy",
      kind: "rewrite",
      edits: [{ start: startOf(value), end: endOf(value), text: `${facts.source(value)}.slice()` }],
    },
  ];
}
