/**
 * Places that several turns of a loop share: a parameter used at each step of a net that is run back through time, a
 * kernel that slides over its input, a bias that every sample of a batch uses. Stored anew in each turn they keep the
 * contribution of the last turn only.
 */
import { adds, slotOf } from "../adds.js";
import type { FileFacts } from "../facts.js";
import { partOf, updatesOf } from "../lookups.js";
import { loopsAround, type Loop } from "../reverse.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  identifier,
  isCall,
  isFunction,
  isMember,
  propertyName,
  receiver,
  walk,
  within,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { eachPart, multiplies } from "./parts.js";
import { isAdjoint, isCotangentName, readsCotangent } from "./cotangents.js";
import { isBackward } from "./entries.js";
import { isBlank } from "./slots.js";

/** The value changes with the turns of a loop, the place does not, and no turn reads it. */
export function storedEachTurn(facts: FileFacts, write: Write, all: readonly Write[]): boolean {
  if (write.form !== "assign" && !(write.form === "buffer-set" && argumentsOf(write.node).length === 1))
    return false;
  const strength = strengthOf(facts, write);
  if (strength === 0 || isBlank(facts, write.value) || isFunction(bare(write.value))) return false;
  const loops = loopsAround(facts, write.node);
  if (
    loops.length === 0 ||
    adds(
      facts,
      write.value,
      slotOf(write, (name) => [name]),
    )
  )
    return false;
  const home = facts.home(write.node);
  const named = home !== null && isBackward(facts, home);
  const backward =
    named || (home !== null && isAdjoint(facts, home) && readsCotangent(facts, write.value, home));
  const turns = loops.find(
    (loop) =>
      (loop.reverse || backward) &&
      placeIsFixed(facts, write.target, loop) &&
      (followsTurn(facts, write.value, loop) || sumsBeside(facts, write, all, loop)) &&
      !isReadIn(facts, write, loop.node),
  );
  if (turns === undefined) return named && (overlaps(facts, write, loops) || namesRow(facts, write, loops));
  // `layer.grad = f(layer.x)` outside of counting is the node at hand
  if (!write.element && (turns.counter === null || !multiplies(facts, write.value))) return false;
  if (strength === 2 || (named && write.element)) return true;
  // a short name needs a gradient beside it that is summed over the same turns
  return sumsBeside(facts, write, all, turns) || (backward && write.element && addsBeside(facts, all, turns));
}

/** A gradient that is summed over the turns of the same loop. */
const sumsBeside = (facts: FileFacts, write: Write, all: readonly Write[], loop: Loop): boolean =>
  all.some(
    (other) =>
      other !== write &&
      sums(facts, other) &&
      strengthOf(facts, other) > 0 &&
      within(other.node, loop.node) &&
      placeIsFixed(facts, other.target, loop),
  );

/** A product of a cotangent that is added to another gradient in the same turns. */
const addsBeside = (facts: FileFacts, all: readonly Write[], loop: Loop): boolean =>
  all.some(
    (other) =>
      sums(facts, other) &&
      strengthOf(facts, other) > 0 &&
      within(other.node, loop.node) &&
      multiplies(facts, other.value) &&
      readsCotangent(facts, other.value, facts.home(other.node)),
  );

/** `db[i] += ...`, `addTo(this.dW, ...)`, `this.db = plus(this.db, ...)`. */
function sums(facts: FileFacts, write: Write): boolean {
  if (write.form === "add") return write.element;
  if (write.form === "adding-call") return true;
  const old = slotOf(write, (name) => [name]);
  return write.form === "assign" && !write.element && adds(facts, write.value, old);
}

/** By the name of the slot, or of the local that it belongs to: `gradU.value`. */
function strengthOf(facts: FileFacts, write: Write): 0 | 1 | 2 {
  const own = facts.names.gradient(write.name);
  if (own > 0) return own;
  const home = facts.home(write.node);
  const short = home !== null && isAdjoint(facts, home) && isCotangentName(facts, write.name, home) ? 1 : 0;
  if (short > 0 || write.object === null) return short;
  const root = bare(write.object);
  const binding = root.type === "Identifier" ? facts.binding(root) : null;
  if (binding?.kind === "variable" && facts.names.gradient(binding.name) === 2) return 2;
  // `this.dU.c`: one of several parameters, in a record of gradients
  if (isMember(root) && propertyName(root) !== null) return facts.names.gradient(propertyName(root)!);
  return write.objectKey === "this" && isOfParameter(facts, write.name) ? 1 : 0;
}

/** `dbh` beside `bh`: the gradient of another field. */
const isOfParameter = (facts: FileFacts, name: string): boolean =>
  /^d\w{2}/.test(name) &&
  facts
    .once(
      "fields of this",
      (file) => new Set(writesOf(file).flatMap((one) => (one.objectKey === "this" ? [one.name] : []))),
    )
    .has(name.slice(1));

/** Names that change from turn to turn: what the loop declares, and what is declared in it. */
export const ofTurn = (facts: FileFacts, node: Node, loop: Loop): boolean => {
  const binding = node.type === "Identifier" ? facts.scopes.resolve(node) : null;
  if (binding === null) return false;
  if (loop.counter !== null && valuesOf(facts).key(node) === loop.counter) return true;
  // `packed[at++] = ...`, and no counter of a loop inside, wherever it is declared
  if (updatesOf(facts, binding).some((update) => within(update, loop.node) && !isStepOfLoop(update)))
    return true;
  return binding.declaration !== loop.node && within(binding.declaration, loop.node);
};

const isStepOfLoop = (update: Node): boolean =>
  update.parent?.type === "ForStatement" && child(update.parent, "update") === update;

/** Nothing in the written place is of one turn: no counter in it, no element, and the buffer is older than the loop. */
export function placeIsFixed(facts: FileFacts, target: Node, loop: Loop): boolean {
  let fixed = true;
  for (let at: Node = bare(target); ; at = bare(child(at, "object")!)) {
    if (!isMember(at)) {
      if (at.type !== "Identifier" && at.type !== "ThisExpression") return false;
      return fixed && !ofTurn(facts, at, loop);
    }
    if (propertyName(at) === null)
      walk(child(at, "property")!, (node) => {
        // a place that is worked out by a call is not looked through
        if (isCall(node) || ofTurnDeep(facts, node, loop)) fixed = false;
      });
  }
}

/** A counter of an inner loop counts the same in each turn; a local that is made of the turn does not. */
function ofTurnDeep(facts: FileFacts, node: Node, loop: Loop, depth = 0): boolean {
  if (!ofTurn(facts, node, loop)) return false;
  const binding = facts.scopes.resolve(node)!;
  if (loop.counter !== null && valuesOf(facts).key(node) === loop.counter) return true;
  if (countsInside(facts, binding.declaration, loop.node)) return false;
  // `const at = i * stride + k` of counters inside: each turn comes to the same places
  const [made, ...more] = binding.definitions;
  if (binding.kind !== "variable" || made === undefined || more.length > 0 || made.path.length > 0)
    return true;
  if (depth > 6 || updatesOf(facts, binding).length > 0) return true;
  let moves = false;
  walk(made.expression, (part) => {
    moves ||= isCall(part) || part.type === "NewExpression" || isFunction(part);
    moves ||= isMember(part) && propertyName(part) === null;
    if (part.type === "Identifier" && !moves) moves = ofTurnDeep(facts, part, loop, depth + 1);
    return !moves;
  });
  return moves;
}

/** Declared as the counter of a loop, or as the index of a callback, inside the loop and independent of its turn. */
function countsInside(facts: FileFacts, declaration: Node, loop: Node): boolean {
  for (let at: Node | null | undefined = declaration.parent; at != null && at !== loop; at = at.parent) {
    if (at.type === "ForStatement") return within(declaration, child(at, "init") ?? declaration);
    if (isFunction(at)) {
      const fn = facts.functionOf(at);
      const params = children(at, "params");
      return fn?.inline === true && params[1] === declaration && at !== loop;
    }
    if (at.type === "BlockStatement") return false;
  }
  return false;
}

export function followsTurn(facts: FileFacts, value: Node, loop: Loop): boolean {
  let found = false;
  eachPart(facts, value, (node) => {
    found ||= ofTurnDeep(facts, node, loop);
  });
  return found;
}

/** `dx[i + k] = ...` in loops over `i` and `k`: several pairs of turns give one place. */
function overlaps(facts: FileFacts, write: Write, loops: readonly Loop[]): boolean {
  if (!write.element || write.index === null) return false;
  const index = bare(write.index);
  if (index.type !== "BinaryExpression" || index.operator !== "+") return false;
  const counters = [child(index, "left")!, child(index, "right")!].map((side) =>
    counterLoop(facts, side, loops),
  );
  return (
    counters.every((loop) => loop !== null) &&
    counters[0] !== counters[1] &&
    multiplies(facts, write.value) &&
    !isReadIn(facts, write, counters[0]!.node) &&
    !isReadIn(facts, write, counters[1]!.node)
  );
}

/** `dTable[ids[t] * n + k] = ...`: rows of a parameter by what a list says, and a list may say one twice. */
function namesRow(facts: FileFacts, write: Write, loops: readonly Loop[]): boolean {
  if (!write.element || write.objectKey !== "this" || write.index === null) return false;
  const counters = new Set(loops.map(({ counter }) => counter));
  let named = false;
  eachPart(facts, write.index, (node) => {
    if (!isMember(node) || propertyName(node) !== null) return;
    const list = valuesOf(facts).key(child(node, "object")!);
    named ||=
      counters.has(valuesOf(facts).key(child(node, "property")!)) &&
      // where a maximum stood, or which goes where: each place once
      !/perm|arg|max|switch|order|inverse|sort|mask|pos/i.test(list);
  });
  return named && loops.every(({ node }) => !isReadIn(facts, write, node));
}

/** The loop around that a name counts one by one. */
function counterLoop(facts: FileFacts, side: Node, loops: readonly Loop[]): Loop | null {
  const node = bare(side);
  if (node.type !== "Identifier") return null;
  const key = valuesOf(facts).key(node);
  for (const loop of loops) {
    if (isFunction(loop.node)) {
      const second = children(loop.node, "params")[1];
      if (second !== undefined && second !== null && identifier(second) === node.name) return loop;
    } else if (loop.counter === key && child(loop.node, "update")?.type === "UpdateExpression") return loop;
  }
  return null;
}

/** A scratch buffer is read in the turn that fills it; a gradient of a parameter is not. Methods may read fields. */
export function isReadIn(facts: FileFacts, write: Write, turns: Node): boolean {
  const values = valuesOf(facts);
  const whole = write.container !== "" ? write.container : values.key(write.target);
  let read = false;
  walk(turns, (node) => {
    if (node.type === "AssignmentExpression" && isMember(bare(child(node, "left")!))) {
      if (rootKey(facts, bare(child(node, "left")!)) === whole) {
        walk(child(node, "right")!, (inner) => {
          read ||= isPlace(inner);
        });
        return false;
      }
    }
    read ||= isPlace(node) && !(isCall(node.parent ?? node) && node === write.target);
    return !read;
  });
  return read || (whole.startsWith("this.") && callsOwnMethod(facts, turns));

  function isPlace(node: Node): boolean {
    if (node.type !== "Identifier" && !isMember(node)) return false;
    if (within(node, write.target)) return false;
    // how long it is says nothing of what it holds
    const parent = node.parent;
    if (parent != null && isMember(parent) && propertyName(parent) === "length") return false;
    return values.key(node) === whole;
  }
}

const callsOwnMethod = (facts: FileFacts, turns: Node): boolean =>
  partOf(facts.calls, turns).some((call) => {
    const holder = receiver(call);
    return holder !== null && bare(holder).type === "ThisExpression" && calleeName(call) !== null;
  });

/** Key of what is left of a place without its indices. */
function rootKey(facts: FileFacts, target: Node): string {
  let at = target;
  while (isMember(at) && propertyName(at) === null) at = child(at, "object")!;
  return valuesOf(facts).key(at);
}
