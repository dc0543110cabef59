/**
 * An arena that is set back to its start while closures still read what was taken from it: `arena.rewind()` in each turn of the forward
 * loop. What the operations of all turns hold is then one stretch of memory.
 */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { localFunction } from "../../local.js";
import { callsFrom, callsNamed, partOf } from "../../lookups.js";
import { operationOf } from "../../operations.js";
import { isBackward } from "../../overwriting/entries.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import {
  bare,
  calleeName,
  child,
  children,
  endOf,
  isCall,
  isMember,
  propertyName,
  literal,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { inside, nodesIn } from "../shared/nodes.js";
import { handedClosures, sweepClosures } from "./pullbacks.js";

/** A function that hands out stretches, and what it moves on: `this.top`, or a variable. */
interface Taker {
  readonly fn: Fn;
  readonly cursor: string;
}

/** An operation that takes a stretch and leaves a closure behind which reads it. */
interface Use {
  readonly operation: Fn;
  readonly cursor: string;
  readonly take: Node;
  readonly read: Node;
}

/** `shown`: the file pays gradients of nodes. */
export function* arenas(facts: FileFacts, shown: boolean): Iterable<Finding> {
  if (callsNamed(facts, "subarray").length === 0) return;
  const uses = usesOf(facts, takersOf(facts), shown);
  if (uses.length === 0) return;
  for (const { node, cursor } of rewinds(facts, new Set(uses.map((use) => use.cursor)))) {
    const home = facts.home(node);
    // what is only asked for its value is not swept
    if (
      home === null ||
      isBackward(facts, home) ||
      /predict|infer|eval|sample|generate|test/i.test(home.name)
    )
      continue;
    const use = uses.find((one) => one.cursor === cursor && isRewoundFor(facts, one, node, home));
    if (use === undefined) continue;
    yield {
      start: startOf(node),
      end: endOf(node),
      message: `\`${facts.source(node)}\` sets the arena back while the backward pass has yet to read what was taken from it (lines ${lineOf(facts, use.take)}, ${lineOf(facts, use.read)}): the next operation fills the same stretch. Set it back after the sweep.`,
      evidence: "structural",
      related: [place(use.take, "taken here"), place(use.read, "read in the backward pass")],
    };
  }
}

/** `const view = this.buf.subarray(this.top, this.top + n); this.top += n; return view;` */
function takersOf(facts: FileFacts): readonly Taker[] {
  const values = valuesOf(facts);
  const out: Taker[] = [];
  for (const call of callsNamed(facts, "subarray")) {
    const fn = facts.home(call);
    if (fn === null || fn.name === "") continue;
    const names = new Set(
      ["MemberExpression", "Identifier"].flatMap((type) =>
        nodesIn(facts, type, call).map((part) => values.key(part)),
      ),
    );
    const moved = partOf(facts.assignments, fn.node).find(
      (node) => node.operator === "+=" && names.has(values.key(child(node, "left")!)),
    );
    const cursor = moved === undefined ? null : cursorOf(facts, child(moved, "left")!, fn);
    if (cursor !== null) out.push({ fn, cursor });
  }
  return out;
}

/** A field by its class, or a variable from around the function. */
function cursorOf(facts: FileFacts, target: Node, fn: Fn): string | null {
  const key = valuesOf(facts).key(target);
  if (key.startsWith("this.")) return fn.owner === null ? null : `${startOf(fn.owner)} ${key}`;
  const binding = facts.binding(target);
  return binding !== null && !facts.scopes.declaredIn(binding, fn.node) ? key : null;
}

function usesOf(facts: FileFacts, takers: readonly Taker[], shown: boolean): readonly Use[] {
  const out: Use[] = [];
  for (const closure of takers.length === 0 ? [] : shown ? sweepClosures(facts) : handedClosures(facts)) {
    const operation = operationOf(facts, closure)!.fn;
    for (const name of nodesIn(facts, "Identifier", closure.node)) {
      const [made, ...more] = facts.binding(name)?.definitions.filter(({ kind }) => kind !== "element") ?? [];
      const take = made === undefined ? null : bare(made.expression);
      if (take === null || more.length > 0 || !isCall(take) || !inside(take, operation.node)) continue;
      const called = localFunction(facts, take);
      const taker = called === null ? undefined : takers.find(({ fn }) => fn === called);
      if (taker === undefined) continue;
      out.push({ operation, cursor: taker.cursor, take, read: name });
      break;
    }
  }
  return out;
}

/** `this.top = 0` outside of setting up, and calls of the method that does it. */
function* rewinds(
  facts: FileFacts,
  cursors: ReadonlySet<string>,
): Iterable<{ readonly node: Node; readonly cursor: string }> {
  for (const node of facts.assignments) {
    if (node.operator !== "=" || literal(child(node, "right")!) !== 0) continue;
    const home = facts.home(node);
    const cursor =
      home === null || home.kind === "constructor" ? null : cursorOf(facts, child(node, "left")!, home);
    if (home === null || cursor === null || !cursors.has(cursor)) continue;
    yield { node, cursor };
    for (const call of home.name === "" ? [] : callsNamed(facts, home.name))
      if (localFunction(facts, call) === home) yield { node: call, cursor };
  }
}

/** In the operation itself; or in a loop that runs it, and that runs nothing back. */
function isRewoundFor(facts: FileFacts, { operation, take }: Use, node: Node, home: Fn): boolean {
  if (home === operation) return startOf(node) < startOf(take) || loopsAround(facts, node).length > 0;
  return loopsAround(facts, node).some(({ node: loop, reverse }) => {
    if (reverse) return false;
    const calls = partOf(facts.calls, loop).filter((call) => facts.home(call) === home);
    return (
      !partOf(facts.assignments, loop).some((one) => isCleared(one)) &&
      calls.some((call) => localFunction(facts, call) === operation || callsInto(facts, call, operation)) &&
      !calls.some(
        (call) => facts.names.backward(calleeName(call) ?? "") || /^pull/i.test(calleeName(call) ?? ""),
      )
    );
  });
}

/** `tape.length = 0`, `tape = []`: nothing is left to sweep. */
function isCleared(assignment: Node): boolean {
  const left = bare(child(assignment, "left")!);
  const right = bare(child(assignment, "right")!);
  if (isMember(left) && propertyName(left) === "length") return literal(right) === 0;
  return right.type === "ArrayExpression" && children(right, "elements").length === 0;
}

/** The call runs a function of the file that calls the operation and runs nothing back. */
function callsInto(facts: FileFacts, call: Node, operation: Fn): boolean {
  const fn = localFunction(facts, call);
  if (fn === null || isBackward(facts, fn)) return false;
  const calls = callsFrom(facts, fn);
  return (
    calls.some((one) => localFunction(facts, one) === operation) &&
    !calls.some((one) => facts.names.backward(calleeName(one) ?? ""))
  );
}
