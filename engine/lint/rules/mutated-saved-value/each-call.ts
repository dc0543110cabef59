/** What a method that runs once a step keeps for the backward pass: a buffer that each call fills anew, or one field. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsOf, localFunction } from "../../local.js";
import { callsFrom, callsNamed } from "../../lookups.js";
import { isBackward } from "../../overwriting/entries.js";
import { isBlank } from "../../overwriting/slots.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import {
  argumentsOf,
  bare,
  child,
  endOf,
  isMember,
  propertyName,
  receiver,
  startOf,
  within,
  type Node,
} from "../../tree.js";
import { placeIsFixed } from "../../overwriting/turns.js";
import { valuesOf } from "../../values.js";
import { writesOf, type Write } from "../../writes.js";
import { nodesIn } from "../shared/nodes.js";
import { isCopied } from "./copies.js";
import { copyOf, keptParts } from "./kept-parts.js";

export function* eachCall(facts: FileFacts): Iterable<Finding> {
  yield* keptBuffers(facts);
  yield* keptFields(facts);
}

/** `this.tape.push({ x, mask })` of `const mask = this.drawMask()`, which fills and returns `this.mask` in each step. */
function* keptBuffers(facts: FileFacts): Iterable<Finding> {
  for (const push of callsNamed(facts, "push")) {
    const list = receiver(push);
    const home = facts.home(push);
    if (list === null || home?.owner == null || home.kind !== "method" || isBackward(facts, home)) continue;
    const reader = readerOf(facts, home, list);
    // a loop around the push is looked at with what the loop fills
    if (reader === null || loopsAround(facts, push).length > 0) continue;
    for (const kept of argumentsOf(push).flatMap(keptParts)) {
      if (isCopied(facts, kept)) continue;
      const spread = kept.type === "SpreadElement";
      const change = spread
        ? refilledParts(facts, home, child(kept, "argument")!)
        : refilledBy(facts, home, valuesOf(facts).key(kept));
      if (change === null || !readBack(facts, reader, kept)) continue;
      yield {
        start: startOf(push),
        end: endOf(push),
        message: `each call of \`${home.name}\` keeps \`${facts.source(kept)}\` itself, and line ${lineOf(facts, change.node)} fills the same buffer anew: when \`${reader.name}\` reads what was kept, all of it is that of the last call. Keep a copy.`,
        evidence: "structural",
        related: [place(change.node, "filled in each call"), place(reader.node, "read in the backward pass")],
        suggestions: spread
          ? []
          : [
              {
                title: "Keep a copy",
                kind: "rewrite",
                edits: [{ start: startOf(kept), end: endOf(kept), text: copyOf(facts, kept) }],
              },
            ],
      };
      break;
    }
  }
}

/** A function of the reverse sweep of the same class that reads the list. */
function readerOf(facts: FileFacts, home: Fn, list: Node): Fn | null {
  const name = isMember(bare(list)) ? propertyName(bare(list)) : null;
  if (name === null) return null;
  return (
    facts.functions.find(
      (fn) =>
        fn.owner === home.owner &&
        fn !== home &&
        isBackward(facts, fn) &&
        nodesIn(facts, "MemberExpression", fn.node).some((node) => propertyName(node) === name),
    ) ?? null
  );
}

/** The part is read under its own name. */
function readBack(facts: FileFacts, reader: Fn, kept: Node): boolean {
  const property = kept.parent;
  const key = property?.type === "Property" ? child(property, "key") : null;
  const name = key?.type === "Identifier" ? key.name : isMember(kept) ? propertyName(kept) : kept.name;
  return (
    property?.type !== "Property" ||
    nodesIn(facts, "Identifier", reader.node).some((node) => node.name === name)
  );
}

/** `{ ...this.state }` of a method that fills `this.state.h` and makes no new one. */
function refilledParts(facts: FileFacts, home: Fn, record: Node): Write | null {
  const key = valuesOf(facts).key(record);
  if (!key.startsWith("this.")) return null;
  const mine = writesOf(facts).filter(({ node }) => facts.home(node) === home);
  return (
    mine.find(
      ({ element, container, form, index, node }) =>
        element &&
        form === "assign" &&
        container.startsWith(`${key}.`) &&
        index !== null &&
        loopsAround(facts, node).length > 0 &&
        !mine.some((one) => !one.element && `${one.objectKey}.${one.name}` === container) &&
        !mine.some((one) => !one.element && `${one.objectKey}.${one.name}` === key),
    ) ?? null
  );
}

/** The write that fills a field of the object in each call of a method, or of one that it calls; null when it makes a new one. */
function refilledBy(facts: FileFacts, home: Fn, key: string): Write | null {
  const field = /^this\.([\w$#]+)$/.exec(key)?.[1];
  if (field === undefined || facts.names.gradient(field) > 0) return null;
  const run = new Set<Fn>([home]);
  for (const call of callsFrom(facts, home)) {
    const fn = localFunction(facts, call);
    if (fn !== null && fn.owner === home.owner) run.add(fn);
  }
  const inside = writesOf(facts).filter(({ node }) => {
    const fn = facts.home(node);
    return fn !== null && run.has(fn);
  });
  const renewed = inside.some(
    ({ element, objectKey, name, form }) =>
      !element && form === "assign" && objectKey === "this" && name === field,
  );
  if (renewed) return null;
  return (
    inside.find(
      ({ node, element, container, form, value, index }) =>
        element &&
        container === key &&
        form === "assign" &&
        bare(value).type !== "Literal" &&
        index !== null &&
        bare(index).type !== "Literal" &&
        loopsAround(facts, node).length > 0,
    ) ?? null
  );
}

/** `this.cache = { x, h }` in a method that a loop runs step by step, read in each turn of the loop of the backward pass. */
function* keptFields(facts: FileFacts): Iterable<Finding> {
  const told = new Set<string>();
  for (const write of writesOf(facts)) {
    const step = facts.home(write.node);
    if (step?.owner == null || step.kind !== "method" || isBackward(facts, step)) continue;
    if (write.objectKey !== "this" || write.form !== "assign" || write.element) continue;
    if (facts.names.gradient(write.name) > 0) continue;
    const own = allSteps(facts, step);
    const driven = own === null ? runsOfOne(facts, step) : null;
    const all = own ?? driven?.forward ?? null;
    const read =
      own !== null
        ? readEachTurn(facts, step, write.name)
        : driven === null
          ? null
          : readIn(facts, driven.backward, write.name);
    if (all === null || read === null || told.has(`${step.name}.${write.name}`)) continue;
    // last, since it follows values
    if (!keepsInput(facts, write, step)) continue;
    told.add(`${step.name}.${write.name}`);
    yield {
      start: startOf(write.node),
      end: endOf(write.node),
      message: `\`this.${write.name}\` is one place for all steps: line ${lineOf(facts, all)} runs \`${step.name}\` for each step, and the loop of the backward pass then reads in each turn what the last step kept (line ${lineOf(facts, read)}). Keep it on a stack.`,
      evidence: "structural",
      related: [place(all, "all steps forward"), place(read, "read in each turn of the backward pass")],
    };
  }
}

/** What is kept is made of what the method is handed. */
const keepsInput = (facts: FileFacts, write: Write, step: Fn): boolean =>
  !isBlank(facts, write.value) &&
  valuesOf(facts)
    .reads(write.value)
    .some((read) => read.kind === "param" && facts.scopes.declaredIn(read.binding, step.node));

/** The call that runs a method for each of many steps: in a loop, on the object itself. */
function allSteps(facts: FileFacts, step: Fn): Node | null {
  return (
    callsOf(facts, step).find((call) => {
      const object = receiver(call);
      const home = facts.home(call);
      return (
        object !== null &&
        bare(object).type === "ThisExpression" &&
        home?.owner === step.owner &&
        home !== step &&
        !isBackward(facts, home!) &&
        loopsAround(facts, call).length > 0
      );
    }) ?? null
  );
}

interface Runs {
  readonly forward: Node;
  /** the method that the reverse loop runs */
  readonly backward: Fn;
}

/** `h = cell.forward(x, h)` of one object in a loop, and `dh = cell.backward(dh)` of one in a loop that goes back. */
function runsOfOne(facts: FileFacts, step: Fn): Runs | null {
  const inLoop = (fn: Fn, back: boolean): readonly Node[] =>
    callsOf(facts, fn).filter((call) => {
      const object = receiver(call);
      const [turn] = loopsAround(facts, call).filter(({ reverse }) => reverse === back);
      return (
        object !== null &&
        turn !== undefined &&
        bare(object).type === "Identifier" &&
        placeIsFixed(facts, object, turn)
      );
    });
  const [forward] = inLoop(step, false);
  if (forward === undefined) return null;
  for (const fn of facts.functions) {
    if (fn.owner !== step.owner || fn === step || !isBackward(facts, fn)) continue;
    // both in one loop: each turn goes back at once
    const apart = inLoop(fn, true).some((call) =>
      loopsAround(facts, call).every(({ node }) => !within(forward, node)),
    );
    if (apart) return { forward, backward: fn };
  }
  return null;
}

/** Where a method reads a field that it does not store into. */
function readIn(facts: FileFacts, fn: Fn, field: string): Node | null {
  const stored = writesOf(facts).some(
    ({ node, name, objectKey }) => name === field && objectKey === "this" && within(node, fn.node),
  );
  const reads = nodesIn(facts, "MemberExpression", fn.node).filter(
    (node) => propertyName(node) === field && bare(child(node, "object")!).type === "ThisExpression",
  );
  // `this.hs[t]`, `this.hs.pop()`: one of many
  return stored || reads.some((node) => node.parent != null && isMember(node.parent))
    ? null
    : (reads[0] ?? null);
}

/** A read of the field inside a loop of a backward method that stores nothing into it. */
function readEachTurn(facts: FileFacts, step: Fn, field: string): Node | null {
  for (const fn of facts.functions) {
    if (fn.owner !== step.owner || fn === step || !isBackward(facts, fn)) continue;
    const stored = writesOf(facts).some(
      ({ node, name, objectKey }) => name === field && objectKey === "this" && within(node, fn.node),
    );
    if (stored) continue;
    const read = nodesIn(facts, "MemberExpression", fn.node).find((node) => {
      if (propertyName(node) !== field || bare(child(node, "object")!).type !== "ThisExpression")
        return false;
      const around = node.parent;
      // `this.hs[t]`, `this.cache.pop()`: one of many
      if (around != null && isMember(around) && child(around, "object") === node) {
        if (propertyName(around) === null || /^(?:pop|at|shift|get|length)$/.test(propertyName(around)!))
          return false;
      }
      return loopsAround(facts, node).some(({ reverse }) => reverse);
    });
    if (read !== undefined) return read;
  }
  return null;
}
