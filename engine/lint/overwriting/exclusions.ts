/** Writes that look like contributions and are none: seeds, copies, fresh buffers, outputs under construction, forward mode. */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { callsFrom } from "../lookups.js";
import { isOne, loopsAround } from "../reverse.js";
import { operationOf } from "../operations.js";
import { valuesOf } from "../values.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  keyName,
  endOf,
  literal,
  receiver,
  startOf,
  type Node,
} from "../tree.js";
import { isDriven } from "./driven.js";
import { startsInnerSweep } from "./inner-sweeps.js";
import { isSwept } from "./handed-cotangents.js";
import { isBlank, slotNamesOf, startsOf } from "./slots.js";
import { derivedIndex } from "./upstream.js";
import { ENOUGH, type Weighed } from "./evidence.js";
import { isEntry } from "./entries.js";
import { multiplies } from "./parts.js";
import { writesOf, type Write } from "../writes.js";
import { branchOf } from "./guards.js";

/** Could be a gradient's slot: by its name, or because it starts at nothing and something is scaled into it. */
export function plausible(facts: FileFacts, write: Write): boolean {
  if (facts.names.gradient(write.name) > 0) return true;
  const slots = slotNamesOf(facts);
  if (slots.same(write.name).some((name) => facts.names.gradient(name) > 0)) return true;
  // what a minifier wrote is judged by names alone
  if (facts.names.minified) return false;
  if (isSwept(facts, write)) return true;
  const { blank } = startsOf(facts);
  if (!blank.has(slots.canonical(write.name))) return false;
  const home = facts.home(write.node);
  return (
    home !== null &&
    (operationOf(facts, home) !== null ||
      loopsAround(facts, write.node).some(({ reverse }) => reverse) ||
      isDriven(facts, home, write.name))
  );
}

const EDGE = /^(?:vjps?|bw|bwd|backward|fn|op|grad_?fn|pull_?back)$/i;

/** `x.grad = [{ backward: y, vjp }]`: the edges of a graph are kept under the name, no gradient. */
export function holdsEdges(facts: FileFacts, value: Node): boolean {
  const inner = bare(value);
  // a record of many parts (a colour ramp, a description) is no contribution
  const made = facts.binding(inner)?.definitions[0];
  const record = made === undefined || made.path.length > 0 ? null : bare(made.expression);
  if (record?.type === "ObjectExpression" && children(record, "properties").length > 3) return true;
  const parts =
    inner.type === "ArrayExpression"
      ? children(inner, "elements")
      : calleeName(inner) === "map"
        ? argumentsOf(inner).flatMap((fn) => facts.functionOf(fn)?.returns ?? [])
        : [inner];
  return parts.some((part) => {
    if (part === null || bare(part).type !== "ObjectExpression") return false;
    return children(bare(part), "properties").some((property) => {
      const key = property === null ? null : child(property, "key");
      return key !== null && EDGE.test(keyName(key, property!.computed === true) ?? "");
    });
  });
}

/** `"cannot be read: " + name`, `old || "unknown"`: a text is no number to add. */
export function isText(value: Node, depth = 0): boolean {
  const inner = bare(value);
  if (inner.type === "TemplateLiteral" || typeof literal(inner) === "string") return true;
  if (depth > 8) return false;
  const either = (...fields: readonly string[]): boolean =>
    fields.some((field) => {
      const part = child(inner, field);
      return part !== null && isText(part, depth + 1);
    });
  switch (inner.type) {
    case "BinaryExpression":
      return inner.operator === "+" && either("left", "right");
    case "LogicalExpression":
      return either("right");
    case "ConditionalExpression":
      return either("consequent", "alternate");
  }
  return false;
}

/**
 * The sweep's own parameter stored before the sweep begins: `backward(seed) { this.grad = seed; for (...) ... }`, or
 * `this.out.grad = seed; this.gate2.backward(); this.gate1.backward();`.
 */
export function isSeed(facts: FileFacts, write: Write, home: Fn, weighed: Weighed): boolean {
  if (loopsAround(facts, write.node).length > 0) return false;
  const after = endOf(write.node);
  const later = (node: Node): boolean => startOf(node) > after && facts.home(node) === home;
  // `grad(ct = 1) { cts.set(out, ct); for (let i = n; i >= 0; i--) ... cts.set(p, ...) }`
  if (facts.binding(write.value)?.kind === "param" && sweptAfter(facts, write, later)) return true;
  if (weighed.upstream?.kind !== "param" || weighed.operation !== null) return false;
  // `async backward(root, seed = 1) { root.grad = seed; await fire(root); }`
  if (startsAtOne(facts, write.value, home)) return true;
  if (bare(write.value).type === "Identifier" && runsSteps(facts, write, home, later)) return true;
  return (
    facts.loops.some(later) ||
    facts.functions.some((fn) => fn.inline && startOf(fn.node) > after && facts.outer(fn) === home)
  );
}

/** A parameter of the function that is one unless somebody says otherwise. */
function startsAtOne(facts: FileFacts, value: Node, home: Fn): boolean {
  const binding = facts.binding(value);
  return (
    binding !== null &&
    home.params.some(
      (param) =>
        param.type === "AssignmentPattern" &&
        facts.binding(child(param, "left")!) === binding &&
        isOne(child(param, "right")!),
    )
  );
}

/** Other entries of the same container are written in a loop that comes later. */
const sweptAfter = (facts: FileFacts, write: Write, later: (node: Node) => boolean): boolean =>
  write.container !== "" &&
  writesOf(facts).some(
    (other) =>
      other.container === write.container &&
      other.indexKey !== write.indexKey &&
      later(other.node) &&
      loopsAround(facts, other.node).length > 0,
  );

/** Steps of other objects are run one after the other from here; the node that was written is not among them. */
function runsSteps(facts: FileFacts, write: Write, home: Fn, later: (node: Node) => boolean): boolean {
  const holders = callsFrom(facts, home)
    .filter((call) => later(call) && facts.names.backward(calleeName(call) ?? ""))
    .map((call) => receiver(call));
  return (
    holders.length > 1 &&
    holders.every((holder) => holder !== null && valuesOf(facts).key(holder) !== write.objectKey)
  );
}

/** Constructors and copies initialise; what `from` and `load` multiply is no copy. */
export function isSetup(facts: FileFacts, write: Write, home: Fn): boolean {
  if (home.kind === "constructor") return write.objectKey === "this";
  return facts.names.reset(home.name) || (facts.names.copying(home.name) && !multiplies(facts, write.value));
}

/** Entries need a place that comes out of data, not out of counting; whole fields need an object. */
export function fits(facts: FileFacts, write: Write, weighed: Weighed): boolean {
  if (write.form === "merge") return false;
  if (!isEntry(write)) {
    // `t.error[3] = min(t.error[0], ...)`: one object's numbers, not the slots of several nodes
    const { upstream } = weighed;
    const within = upstream?.kind === "element" && upstream.container === write.container;
    if (within && write.element && facts.names.gradient(write.name) < 2 && !derivedIndex(facts, write))
      return false;
    return weighed.reverse || weighed.score > ENOUGH;
  }
  if (write.index === null) return false;
  const fromEntry = weighed.upstream?.kind === "element";
  // `dSkips.set(i, d)` of the loop's own counter: each key once
  if (loopsAround(facts, write.node).some(({ counter }) => counter === write.indexKey)) return false;
  if (write.form === "map-set" || write.form === "spread")
    return (
      facts.names.gradient(write.name) === 2 ||
      isSwept(facts, write) ||
      (fromEntry && (weighed.score > ENOUGH || facts.names.gradient(write.name) > 0))
    );
  // `dx[i] = y[i] * bar[i]` fills a buffer of its own; an adjoint array is read and written
  if (!derivedIndex(facts, write)) return false;
  return fromEntry
    ? weighed.score > ENOUGH
    : facts.names.gradient(write.name) === 2 &&
        weighed.operation !== null &&
        !isLocal(facts, write, weighed.home);
}

export function isLocal(facts: FileFacts, write: Write, home: Fn | null): boolean {
  const root = rootOf(write.target);
  const binding = root === null ? null : facts.binding(root);
  return (
    home !== null &&
    binding !== null &&
    binding.kind === "variable" &&
    facts.scopes.declaredIn(binding, home.node)
  );
}

export function rootOf(target: Node): Node | null {
  let at: Node | null = target;
  while (at !== null && at.type !== "Identifier" && at.type !== "ThisExpression") {
    const next: Node | null = child(at, "object") ?? child(at, "expression") ?? child(at, "callee");
    at = next;
  }
  return at;
}

/** What was written is handed to a call, or told to sweep, right after. */
function isSweptNext(facts: FileFacts, write: Write, home: Fn): boolean {
  const key = write.objectKey;
  const values = valuesOf(facts);
  return callsFrom(facts, home).some((call) => {
    if (startOf(call) < endOf(write.node)) return false;
    const holder = receiver(call);
    const name = calleeName(call) ?? "";
    // by the name of the very closure, too: `again.g = out.g.slice(); again.pull();`
    const sweeps = facts.names.backward(name) || (name === home.name && argumentsOf(call).length === 0);
    const own = holder !== null && values.key(holder) === key && sweeps;
    return own || argumentsOf(call).some((argument) => values.key(argument) === key);
  });
}

/** The written object was made by this very run: a copy, an output under construction. */
export function madeHere(facts: FileFacts, write: Write, home: Fn, weighed: Weighed): boolean {
  if (write.object === null || isEntry(write)) return false;
  const root = rootOf(write.object);
  const binding = root === null ? null : facts.binding(root);
  if (binding === null || binding.kind !== "variable" || !facts.scopes.declaredIn(binding, home.node))
    return false;
  if (!write.objectKey.startsWith(`${binding.name}~${binding.id}`)) return false;
  if (write.objectKey !== `${binding.name}~${binding.id}`) return false;
  const made = binding.definitions.find(({ kind, path }) => kind === "initial" && path.length === 0);
  if (made === undefined) return false;
  const type = made.expression.type;
  // `const again = segment(input); again.grad = out.grad; sweep(again);`: the seed of a sweep within the sweep
  if (
    weighed.operation !== null &&
    facts.isCall(bare(made.expression)) &&
    (isSweptNext(facts, write, home) || startsInnerSweep(facts, write, home))
  )
    return true;
  return (
    type === "NewExpression" ||
    type === "ObjectExpression" ||
    (type === "CallExpression" &&
      weighed.operation === null &&
      home.returns.some((r) => facts.binding(r) === binding))
  );
}

/**
 * Forward mode has the same shape the other way round: the written object is the output. It shows where the same
 * function stores the primal of that object too, or reads the slot of several objects.
 */
export function forwards(
  facts: FileFacts,
  write: Write,
  home: Fn,
  weighed: Weighed,
  all: readonly Write[],
): boolean {
  if (write.object === null || isEntry(write) || weighed.operation !== null) return false;
  if (/forward|jvp|tangent|fwd/i.test(home.name) && !/backward|reverse|vjp/i.test(home.name)) return true;
  return (
    all.some(
      (other) =>
        other !== write &&
        other.object !== null &&
        other.objectKey === write.objectKey &&
        other.name !== write.name &&
        /^_*(?:v|val|value|data|x|primal|re|real|f|out|w)$/i.test(other.name) &&
        facts.home(other.node) === home,
    ) && !facts.names.backward(home.name)
  );
}

/** `slot = fresh; slot[i] = contribution`: nothing was there to be lost. */
export function freshBuffer(facts: FileFacts, write: Write, home: Fn, all: readonly Write[]): boolean {
  if (
    write.object === null ||
    isEntry(write) ||
    !(write.element || write.form === "buffer-set" || write.form === "buffer-fill")
  )
    return false;
  return all.some(
    (other) =>
      other.object !== null &&
      !other.element &&
      (other.form === "assign" || other.form === "buffer-fill") &&
      other.objectKey === write.objectKey &&
      other.name === write.name &&
      other !== write &&
      facts.home(other.node) === home &&
      isBlank(facts, other.value) &&
      branchOf(other.node, home.node).length === 0,
  );
}
