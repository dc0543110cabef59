/** A field that a backward closure reads, changed by an operation, or by a function after it called the operation. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { paramName } from "../../overwriting/slots.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
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
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf, type Write } from "../../writes.js";
import { inside, isCallOf } from "../shared/nodes.js";
import { isCopied } from "./copies.js";
import { isFirstFill } from "./first-fill.js";
import { isOwnPlace } from "./own-places.js";
import { filledByHelpers, mentionsGradient, ownerOf } from "./shared-arrays.js";
import { savedFields, type SavedField } from "./saved.js";
import { givingClosures, makesItsKind, sweepClosures } from "./pullbacks.js";

export function* changedOperands(facts: FileFacts): Iterable<Finding> {
  const saved = savedFields(facts);
  if (saved.length === 0) return;
  const fields = new Set(saved.map(({ field }) => field));
  for (const change of changes(facts, fields)) {
    const found =
      byOperation(facts, change, saved) ?? afterCall(facts, change, saved) ?? ofOwner(facts, change, saved);
    if (found !== null) yield found;
  }
  for (const filled of filledByHelpers(facts, fields)) {
    const change = { ...filled, value: null, element: true };
    const found = afterCall(facts, change, saved) ?? ofOwner(facts, change, saved);
    if (found !== null) yield found;
  }
}

/** The array is that of another node, which an operation saved. */
function ofOwner(facts: FileFacts, change: Change, saved: readonly SavedField[]): Finding | null {
  const owner = change.element ? ownerOf(facts, change) : null;
  if (owner === null) return null;
  // the slots of the node at hand do not make it an optimizer's step
  const moves = change.value !== null && mentionsGradient(facts, change.value);
  return afterCall(facts, { ...change, ...owner, value: moves ? change.value : null }, saved);
}

export interface Change {
  readonly node: Node;
  readonly objectKey: string;
  readonly field: string;
  readonly value: Node | null;
  readonly home: Fn;
  /** the content of the array, not the field */
  readonly element: boolean;
  /** where in the array, as far as it is written down */
  readonly index?: Node;
}

const REORDERS = /^(?:sort|reverse|fill|copyWithin|splice|push|pop|shift|unshift)$/;

function* changes(facts: FileFacts, fields: ReadonlySet<string>): Iterable<Change> {
  const values = valuesOf(facts);
  for (const write of writesOf(facts)) {
    if (write.form === "spread" || write.form === "merge" || write.form === "map-set") continue;
    const change = ofWrite(facts, write, fields);
    if (change !== null) yield change;
  }
  for (const update of facts.updates) {
    const target = bare(child(update, "argument")!);
    const home = facts.home(update);
    if (!isMember(target) || home === null) continue;
    const holder = propertyName(target) === null ? bare(child(target, "object")!) : target;
    if (isMember(holder) && fields.has(propertyName(holder) ?? ""))
      yield {
        node: update,
        objectKey: values.key(child(holder, "object")!),
        field: propertyName(holder)!,
        value: null,
        home,
        element: holder !== target,
      };
  }
  for (const call of facts.calls) {
    const holder = receiver(call);
    const home = facts.home(call);
    if (holder === null || home === null || !REORDERS.test(calleeName(call) ?? "")) continue;
    if (/^(?:fill|copyWithin)$/.test(calleeName(call) ?? "")) continue;
    const inner = bare(holder);
    // `const v = x.data; v.sort();`: the operand's own array under another name
    const at =
      inner.type === "Identifier" && !isCopied(facts, inner)
        ? /^(.*)\.([\w$#]+)$/.exec(values.key(inner))
        : null;
    const field = isMember(inner) ? propertyName(inner) : (at?.[2] ?? null);
    if (field === null || !fields.has(field)) continue;
    const objectKey = isMember(inner) ? values.key(child(inner, "object")!) : at![1];
    yield { node: call, objectKey, field, value: null, home, element: true };
  }
}

/** A write into the field, or into a local that is the field's array. */
function ofWrite(facts: FileFacts, write: Write, fields: ReadonlySet<string>): Change | null {
  const home = facts.home(write.node);
  if (home === null || home.kind === "constructor") return null;
  if (write.object !== null)
    return fields.has(write.name)
      ? {
          node: write.node,
          objectKey: write.objectKey,
          field: write.name,
          value: write.value,
          home,
          element: write.element || /^buffer/.test(write.form),
          ...startOfWrite(write),
        }
      : null;
  const at = /^(.*)\.([\w$#]+)$/.exec(write.container);
  return at !== null && fields.has(at[2]) && !isCopied(facts, write.target)
    ? {
        node: write.node,
        objectKey: at[1],
        field: at[2],
        value: write.value,
        home,
        element: true,
        ...startOfWrite(write),
      }
    : null;
}

/** `vals[y.off + i] = v`, `vals.set(data, y.off)`, `vals.copyWithin(y.off, from)`: where it starts. */
function startOfWrite({ index, form, node }: Write): { readonly index?: Node } {
  if (index !== null) return { index };
  const args = /^buffer/.test(form) && isCall(node) ? argumentsOf(node) : [];
  const at = calleeName(node) === "copyWithin" ? args[0] : args[1];
  return at === undefined ? {} : { index: at };
}

/** An operation that changes its operand, or its output once the closure is there. */
function byOperation(facts: FileFacts, change: Change, saved: readonly SavedField[]): Finding | null {
  const operations = new Set(saved.map(({ operation }) => operation));
  const { home, objectKey, field, node } = change;
  if (!operations.has(home) && !sweepClosures(facts).some((fn) => facts.outer(fn) === home)) return null;
  if (usesGradient(facts, change) || home.kind === "set") return null;
  if (change.element && isOwnPlace(facts, change.index, home)) return null;
  const closures = sweepClosures(facts).filter((fn) => facts.outer(fn) === home);
  const operand = objectKey === "this" || isParam(facts, home, objectKey);
  const gives = closures.some((fn) => givingClosures(facts).includes(fn));
  const reader = operand
    ? (saved.find((one) => one.field === field && one.operation !== home) ??
      // what only it reads itself may be what it means to read: `g * (a.data[i] > 0)` of a clipped array
      (gives ? undefined : saved.find((one) => one.field === field)))
    : saved.find((one) => one.operation === home && one.field === field && one.objectKey === objectKey);
  if (reader === undefined) return null;
  // what is made here may be filled until the closure hangs on it
  const after = closures.every((fn) => startOf(fn.node) < startOf(node));
  if (!operand && (!after || isFirstFill(facts, change))) return null;
  // an operation whose closures do not pay the object it changes owns it: a layer and its state
  if (
    objectKey === "this" &&
    !closures.some((fn) => paysOperand(facts, fn, "this")) &&
    !(gives && makesItsKind(facts, home))
  )
    return null;
  return report(
    facts,
    change,
    reader,
    operand
      ? "an operand is not the operation's to change"
      : "the output is changed after its closure was made",
  );
}

function paysOperand(facts: FileFacts, fn: Fn, key: string): boolean {
  return writesOf(facts).some((write) => facts.home(write.node) === fn && write.objectKey === key);
}

function isParam(facts: FileFacts, fn: Fn, key: string): boolean {
  return fn.params.some((param) => {
    const id = paramName(param);
    return id !== null && valuesOf(facts).key(id) === key;
  });
}

/** `p.data -= rate * p.grad`: an optimizer's step, which comes after the sweep. */
function usesGradient(facts: FileFacts, { value, home }: Change): boolean {
  if (/step|optim|update|descen|train|sgd|adam|fit|load|copy|init|set/i.test(home.name)) return true;
  return (
    value !== null &&
    valuesOf(facts)
      .reads(value)
      .some(
        (read) =>
          (read.kind === "field" && facts.names.gradient(read.name) > 0) ||
          (read.kind === "element" && /grad|delta|moment|veloc/i.test(read.container)) ||
          (read.kind === "param" && facts.names.gradient(read.binding.name) > 0),
      )
  );
}

/** `const y = square(x); x.data[i] = ...`: written after the operation saved it, and before a sweep. */
function afterCall(facts: FileFacts, change: Change, saved: readonly SavedField[]): Finding | null {
  const { home, objectKey, field, node } = change;
  if (usesGradient(facts, change)) return null;
  const moves = change.value !== null && mentionsGradient(facts, change.value);
  for (const one of saved) {
    if (one.field !== field || one.operation === home) continue;
    // `net.w[i] -= rate * g.w[i]` of `g = run.pull(1)`: a step
    if (moves && givingClosures(facts).includes(one.closure)) continue;
    const call = facts.calls.find((candidate) => {
      if (facts.home(candidate) !== home || startOf(candidate) > startOf(node) || inside(node, candidate))
        return false;
      return (
        isCallOf(facts, candidate, one.operation) &&
        stillThere(facts, candidate, node, home) &&
        passes(facts, candidate, one, objectKey)
      );
    });
    if (call === undefined) continue;
    // a whole new array leaves the one that was kept by reference alone
    if (!change.element && one.node.type === "Identifier") continue;
    if (sweptBetween(facts, call, node, home)) continue;
    return report(
      facts,
      change,
      one,
      `\`${one.operation.name}\` kept it by reference (line ${lineOf(facts, call)})`,
    );
  }
  return null;
}

/** The changed object is what the operation calls by the saved key: an argument, the receiver, or what it made. */
function passes(
  facts: FileFacts,
  call: Node,
  { operation, objectKey: kept }: SavedField,
  changed: string,
): boolean {
  const values = valuesOf(facts);
  if (kept === "this") {
    const object = receiver(call);
    if (object !== null && values.key(object) === changed) return true;
  }
  for (let i = 0; i < operation.params.length; i++) {
    const id = paramName(operation.params[i]);
    const argument = argumentsOf(call)[i];
    if (id !== null && argument !== undefined && values.key(id) === kept && values.key(argument) === changed)
      return true;
  }
  const made = operation.returns.some((value) => values.key(value) === kept);
  if (!made) return false;
  const parent = call.parent;
  const id = parent?.type === "VariableDeclarator" ? child(parent, "id") : null;
  return id !== null && id.type === "Identifier" && values.key(id) === changed;
}

/** The call's result is not lost: in a branch that the change is not in nothing is known. */
function stillThere(_facts: FileFacts, call: Node, change: Node, home: Fn): boolean {
  for (let at = call.parent; at != null && at !== home.node; at = at.parent)
    if (/^(?:IfStatement|SwitchCase|ConditionalExpression)$/.test(at.type) && !inside(change, at))
      return false;
  return true;
}

/** A sweep between the call and the change has read the value by then. */
function sweptBetween(facts: FileFacts, call: Node, change: Node, home: Fn): boolean {
  return facts.calls.some(
    (other) =>
      facts.home(other) === home &&
      startOf(other) > endOf(call) &&
      startOf(other) < startOf(change) &&
      (facts.names.backward(calleeName(other) ?? "") ||
        /^(?:sweep$|gradients?$|pull)/i.test(calleeName(other) ?? "")),
  );
}

function report(facts: FileFacts, change: Change, reader: SavedField, why: string): Finding {
  return {
    start: startOf(change.node),
    end: endOf(change.node),
    message: `\`${facts.source(change.node).replace(/\s+/g, " ").slice(0, 50)}\` changes a value that a backward pass has yet to read (line ${lineOf(facts, reader.node)}); ${why}. Write into a new one, or keep a copy.`,
    evidence: "structural",
    related: [place(reader.node, "read in the backward pass")],
  };
}
