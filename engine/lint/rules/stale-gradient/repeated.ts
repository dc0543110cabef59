/** Sweeps that run again over nodes which the one before has paid. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsOf } from "../../local.js";
import { rootOf } from "../../overwriting/exclusions.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import type { Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  endOf,
  isCall,
  isFunction,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { inside, partsOf, targetsOf } from "../shared/nodes.js";
import { drivers } from "./drivers.js";
import { areLeaves } from "./leaves.js";
import { resets } from "./resets.js";

/** Sweeps from one root in a loop around nothing that builds it anew, or one after the other. */
export function* repeatedSweeps(facts: FileFacts): Iterable<Finding> {
  for (const fn of drivers(facts)) {
    const calls = callsOf(facts, fn).filter((call) => !inside(call, fn.node));
    const roots = calls.map((call) => ({ call, root: rootBinding(facts, call, fn) }));
    const told = new Set<Node>();
    for (const { call, root } of roots) {
      if (root === null) continue;
      const loop = loopAround(facts, call);
      if (loop === null || clearsIn(facts, loop)) continue;
      const several = handedOutputs(facts, root, loop);
      if (builtIn(facts, root, loop) && !several && !sharedOutputs(facts, root, loop)) continue;
      told.add(call);
      yield report(
        call,
        several
          ? `the sweep runs from each of several outputs, and between two of them only the slots of leaves are set back to zero: nodes that the outputs share still hold the cotangents of the turn before.`
          : `the sweep runs again in each turn of this loop over a graph that was built before it, and \`${fn.name}\` clears nothing: interior nodes still hold the cotangents of the turn before.`,
        [place(root.declaration, "built once")],
      );
    }
    for (let i = 0; i < roots.length; i++)
      for (let k = i + 1; k < roots.length; k++) {
        const [a, b] = [roots[i], roots[k]];
        if (
          a.root === null ||
          b.root === null ||
          told.has(b.call) ||
          !oneAfterTheOther(facts, a.call, b.call)
        )
          continue;
        if (a.root !== b.root && !shareInterior(facts, a.root, b.root)) continue;
        if (clearsBetween(facts, a.call, b.call)) continue;
        told.add(b.call);
        yield report(
          b.call,
          `a second sweep over nodes that the first has paid (line ${lineOfCall(facts, a.call)}), and nothing clears them in between: interior nodes hand the first cotangent on once more.`,
          [place(a.call, "the first sweep")],
        );
      }
  }
}

const lineOfCall = (facts: FileFacts, node: Node): number =>
  facts.text.slice(0, startOf(node)).split("\n").length;

const report = (node: Node, message: string, related: NonNullable<Finding["related"]>): Finding => ({
  start: startOf(node),
  end: endOf(node),
  message,
  evidence: "proven-graph",
  related,
});

/** `loss` of `loss.backward()` and of `backward(loss)`. */
function rootBinding(facts: FileFacts, call: Node, fn: Fn): Binding | null {
  const object = receiver(call);
  const at = fn.kind === "method" && object !== null ? object : (argumentsOf(call)[0] ?? null);
  return at === null ? null : facts.binding(at);
}

function loopAround(facts: FileFacts, call: Node): Node | null {
  const [inner] = loopsAround(facts, call);
  return inner === undefined ? null : inner.node;
}

/** The root is declared or assigned in the loop, or is what the loop walks over. */
function builtIn(facts: FileFacts, root: Binding, loop: Node): boolean {
  if (inside(root.declaration, loop) || inside(root.scope, loop)) return true;
  return (
    root.definitions.some(({ at }) => inside(at, loop)) ||
    facts.updates.some((one) => inside(one, loop) && facts.binding(child(one, "argument")!) === root)
  );
}

/** The turns take outputs from a list that is handed in, and set back no more than leaves: `for (const x of inputs) x.grad = 0`. */
function handedOutputs(facts: FileFacts, root: Binding, loop: Node): boolean {
  const [from, ...more] = root.definitions.filter(({ kind }) => kind === "initial");
  if (from === undefined || more.length > 0 || from.path.join("") !== "[*]") return false;
  if (facts.binding(from.expression)?.kind !== "param") return false;
  const own = resets(facts).filter(({ node }) => inside(node, loop));
  return own.length > 0 && own.every(({ node }) => loopsAround(facts, node).length > 1);
}

/** The turns of the loop take outputs from a list that was filled before, and two of them share an interior node. */
function sharedOutputs(facts: FileFacts, root: Binding, loop: Node): boolean {
  const [from, ...more] = root.definitions.filter(({ kind }) => kind === "initial");
  if (from === undefined || more.length > 0 || from.path.join("") !== "[*]") return false;
  const written = bare(from.expression);
  const list = facts.binding(written);
  if (
    list !== null ? list.kind !== "variable" || builtIn(facts, list, loop) : !isOutside(facts, written, loop)
  )
    return false;
  const made = (list?.definitions ?? [from]).flatMap(({ expression, kind }) =>
    kind === "element"
      ? [expression]
      : bare(expression).type === "ArrayExpression"
        ? children(bare(expression), "elements").filter((one) => one !== null)
        : [],
  );
  const parts = made.map((one) => madeOfValue(facts, one));
  return parts.some((mine, i) =>
    parts.slice(0, i).some((other) => [...mine].some((one) => other.has(one) && interior(facts, one))),
  );
}

/** `[first, second]` of names from outside of the loop. */
const isOutside = (facts: FileFacts, list: Node, loop: Node): boolean =>
  list.type === "ArrayExpression" &&
  children(list, "elements").every((one) => {
    const binding = one === null ? null : facts.binding(one);
    return binding !== null && !builtIn(facts, binding, loop);
  });

/** Something in the loop clears more than leaves: a call, a loop over nodes, or an interior node by name. */
function clearsIn(facts: FileFacts, loop: Node): boolean {
  if (facts.calls.some((call) => inside(call, loop) && isFullReset(facts, call))) return true;
  return resets(facts).some(
    ({ node, target }) => inside(node, loop) && clearsMore(facts, node, target, loop),
  );
}

/** A reset of a whole list of nodes, or of one that is itself made of others: the slot of a leaf is no such. */
function clearsMore(facts: FileFacts, node: Node, target: Node, outer: Node | null): boolean {
  const [around] = loopsAround(facts, node);
  if (around !== undefined && around.node !== outer) {
    const walked = walkedBy(around.node) ?? node;
    if (bare(walked).type === "ArrayExpression") return !areLeaves(facts, bare(walked));
    return !/param|weight|leaf|leaves|input/i.test(facts.source(walked));
  }
  const root = rootOf(target);
  const binding = root === null ? null : facts.binding(root);
  return binding === null || interior(facts, binding) || binding.kind === "import";
}

/** `xs` of `for (const x of xs)` and of `xs.forEach((x) => ...)`. */
const walkedBy = (loop: Node): Node | null =>
  isFunction(loop) && loop.parent != null && isCall(loop.parent)
    ? receiver(loop.parent)
    : child(loop, "right");

/** A call named for a reset, unless it is a function of this file that sets back leaves. */
function isFullReset(facts: FileFacts, call: Node): boolean {
  if (!facts.names.reset(calleeName(call) ?? "")) return false;
  const fns = targetsOf(facts, call);
  const own = resets(facts).filter(({ node }) => fns.some((fn) => inside(node, fn.node)));
  return (
    fns.length !== 1 ||
    own.length === 0 ||
    own.some(
      ({ node, target }) => loopsAround(facts, node).length === 0 || clearsMore(facts, node, target, null),
    )
  );
}

function clearsBetween(facts: FileFacts, a: Node, b: Node): boolean {
  const between = (node: Node): boolean => startOf(node) > endOf(a) && endOf(node) < startOf(b);
  return (
    facts.calls.some((call) => between(call) && isFullReset(facts, call)) ||
    resets(facts).some(({ node, target }) => between(node) && clearsMore(facts, node, target, null))
  );
}

/** In the same run, neither in a branch that the other is not in. */
function oneAfterTheOther(facts: FileFacts, a: Node, b: Node): boolean {
  const home = facts.home(a);
  if (home !== facts.home(b) || startOf(a) > startOf(b)) return false;
  const block = (node: Node): Node | null => {
    for (let at = node.parent; at != null; at = at.parent)
      if (/^(?:BlockStatement|Program|StaticBlock)$/.test(at.type)) return at;
    return null;
  };
  return (
    block(a) === block(b) &&
    !facts.functions.some((fn) => fn.inline && inside(a, fn.node) !== inside(b, fn.node))
  );
}

/** A value that both are made of and that is itself made of others. */
function shareInterior(facts: FileFacts, a: Binding, b: Binding): boolean {
  const mine = madeOf(facts, a);
  for (const one of madeOf(facts, b)) if (mine.has(one) && interior(facts, one)) return true;
  return false;
}

function madeOf(facts: FileFacts, root: Binding): ReadonlySet<Binding> {
  return collectMade(facts, [root]);
}

const madeOfValue = (facts: FileFacts, value: Node): ReadonlySet<Binding> =>
  collectMade(facts, namesIn(facts, value));

const namesIn = (facts: FileFacts, value: Node): Binding[] =>
  partsOf(value).flatMap((node) => {
    const used = node.type === "Identifier" ? facts.scopes.resolve(node) : null;
    return used !== null && used.kind === "variable" ? [used] : [];
  });

function collectMade(facts: FileFacts, queue: Binding[]): ReadonlySet<Binding> {
  const out = new Set<Binding>();
  while (queue.length > 0) {
    const binding = queue.pop()!;
    if (out.has(binding)) continue;
    out.add(binding);
    for (const { expression, kind } of binding.definitions)
      if (kind !== "element") queue.push(...namesIn(facts, expression));
  }
  return out;
}

function interior(facts: FileFacts, binding: Binding): boolean {
  const made = binding.definitions.find(({ kind }) => kind === "initial")?.expression;
  if (made === undefined || !facts.isCall(bare(made)) || bare(made).type === "NewExpression") return false;
  return partsOf(made).some((node) => {
    const used = node.type === "Identifier" ? facts.scopes.resolve(node) : null;
    return (
      used !== null &&
      (used.kind === "variable" || used.kind === "param") &&
      facts.names.gradient(used.name) === 0 &&
      used !== binding
    );
  });
}
