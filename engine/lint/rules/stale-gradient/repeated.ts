/** Sweeps that run again over nodes which the one before has paid. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsOf } from "../../local.js";
import { partOf } from "../../lookups.js";
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
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { inside, partsOf, targetsOf } from "../shared/nodes.js";
import { carriedOn, carriedState } from "./carried-states.js";
import { drivers, type Driver } from "./drivers.js";
import { areLeaves } from "./leaves.js";
import { placeOfCall, type Span } from "./places.js";
import { isBehindLeafTest, resets } from "./resets.js";

/** Sweeps from one root in a loop around nothing that builds it anew, or one after the other. */
export function* repeatedSweeps(facts: FileFacts): Iterable<Finding> {
  for (const driver of drivers(facts)) {
    const { fn } = driver;
    const calls = callsOf(facts, fn).filter((call) => !inside(call, fn.node));
    const roots = calls.flatMap((call) => {
      const at = rootOfCall(call, fn);
      return at === null ? [] : [{ call, at, root: facts.binding(at) }];
    });
    const told = new Set<Node>();
    for (const { call, root } of roots) {
      if (root === null) continue;
      const loop = loopAround(facts, call);
      if (loop === null || clearsIn(facts, loop, driver, root)) continue;
      const several = handedOutputs(facts, root, loop);
      if (builtIn(facts, root, loop) && !several && !sharedOutputs(facts, root, loop)) continue;
      told.add(call);
      yield report(
        placeOfCall(call, driver),
        several
          ? `the sweep runs from each of several outputs, and between two of them only the slots of leaves are set back to zero: nodes that the outputs share still hold the cotangents of the turn before.`
          : `the sweep runs again in each turn of this loop over a graph that was built before it, and \`${fn.name}\` clears nothing: interior nodes still hold the cotangents of the turn before.`,
        [place(root.declaration, "built once")],
      );
    }
    for (const { call, at } of roots) {
      const loop = told.has(call) ? null : loopAround(facts, call);
      if (loop === null) continue;
      const state = carriedState(facts, madeOfValue(facts, at), loop);
      if (state === null || clearsIn(facts, loop, driver, state)) continue;
      told.add(call);
      yield { ...placeOfCall(call, driver), ...carriedOn(state, fn.name), evidence: "structural" };
    }
    for (let i = 0; i < roots.length; i++)
      for (let k = i + 1; k < roots.length; k++) {
        const [a, b] = [roots[i], roots[k]];
        if (told.has(b.call) || !oneAfterTheOther(facts, a.call, b.call)) continue;
        const same = a.root !== null && a.root === b.root;
        if (!same && !shareInterior(facts, a.at, b.at)) continue;
        if (clearsBetween(facts, a.call, b.call, driver, ofTape(driver, a.root))) continue;
        told.add(b.call);
        yield report(
          placeOfCall(b.call, driver),
          `a second sweep over nodes that the first has paid (line ${lineOfCall(facts, a.call)}), and nothing clears them in between: interior nodes hand the first cotangent on once more.`,
          [place(a.call, "the first sweep")],
        );
      }
  }
}

const lineOfCall = (facts: FileFacts, node: Node): number =>
  facts.text.slice(0, startOf(node)).split("\n").length;

const report = (at: Span, message: string, related: NonNullable<Finding["related"]>): Finding => ({
  ...at,
  message,
  evidence: "proven-graph",
  related,
});

/** `loss` of `loss.backward()` and of `backward(loss)`. */
const rootOfCall = (call: Node, fn: Fn): Node | null => {
  const object = receiver(call);
  return fn.kind === "method" && object !== null ? object : (argumentsOf(call)[0] ?? null);
};

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

/** What is handed to the driver holds the slots of all nodes: `t` of `t.adj[from] = 1`. */
const ofTape = ({ start }: Driver, root: Binding | null): Binding | null =>
  start.index === null ? null : root;

/** Something in the loop clears more than leaves: a call, a loop over nodes, or an interior node by name. */
function clearsIn(facts: FileFacts, loop: Node, driver: Driver, root: Binding): boolean {
  if (partOf(facts.calls, loop).some((call) => isFullReset(facts, call, driver))) return true;
  return resets(facts).some(
    ({ node, target }) => inside(node, loop) && clearsMore(facts, node, target, loop, ofTape(driver, root)),
  );
}

/** A reset of a whole list of nodes, or of one that is itself made of others: the slot of a leaf is no such. */
function clearsMore(
  facts: FileFacts,
  node: Node,
  target: Node,
  outer: Node | null,
  tape: Binding | null = null,
): boolean {
  const [around] = loopsAround(facts, node);
  if (around !== undefined && around.node !== outer) {
    const walked = writtenDown(facts, walkedBy(around.node) ?? node);
    if (walked.type === "ArrayExpression") return !areLeaves(facts, walked);
    return !/param|weight|leaf|leaves|input/i.test(facts.source(walked));
  }
  // `t.adj[x] = 0`: one entry
  const at = bare(target);
  if (isMember(at) && propertyName(at) === null) return false;
  const root = rootOf(target);
  const binding = root === null ? null : facts.binding(root);
  return binding === null || binding === tape || interior(facts, binding) || binding.kind === "import";
}

/** `[a, b]` of `const all = [a, b]`, where nothing else gets into the list. */
function writtenDown(facts: FileFacts, list: Node): Node {
  const binding = facts.binding(list);
  const [made, ...more] = binding?.definitions ?? [];
  const only = binding?.kind === "variable" && more.length === 0 && made.path.length === 0;
  return only && bare(made.expression).type === "ArrayExpression" ? bare(made.expression) : bare(list);
}

/** `xs` of `for (const x of xs)` and of `xs.forEach((x) => ...)`. */
const walkedBy = (loop: Node): Node | null =>
  isFunction(loop) && loop.parent != null && isCall(loop.parent)
    ? receiver(loop.parent)
    : child(loop, "right");

/**
 * A call named for a reset, unless it is a function of this file that sets back leaves; one of another name, where it sets back
 * nodes in a loop, as a step that evaluates them anew does.
 */
function isFullReset(facts: FileFacts, call: Node, driver: Driver): boolean {
  const named = facts.names.reset(calleeName(call) ?? "");
  if (!named && resets(facts).length === 0) return false;
  const fns = targetsOf(facts, call);
  if (named && fns.length !== 1) return true;
  if (driver !== null && fns.includes(driver.fn)) return false;
  const own = resets(facts).filter(({ node }) => fns.some((fn) => inside(node, fn.node)));
  if (named && own.length === 0) return true;
  return own.some(({ node, target }) => {
    if (isBehindLeafTest(facts, node)) return false;
    if (loopsAround(facts, node).length === 0) return named;
    return clearsMore(facts, node, target, null);
  });
}

function clearsBetween(facts: FileFacts, a: Node, b: Node, driver: Driver, tape: Binding | null): boolean {
  const between = (node: Node): boolean => startOf(node) > endOf(a) && endOf(node) < startOf(b);
  return (
    facts.calls.some((call) => between(call) && isFullReset(facts, call, driver)) ||
    resets(facts).some(({ node, target }) => between(node) && clearsMore(facts, node, target, null, tape))
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
function shareInterior(facts: FileFacts, a: Node, b: Node): boolean {
  const mine = madeOfValue(facts, a);
  for (const one of madeOfValue(facts, b)) if (mine.has(one) && interior(facts, one)) return true;
  return false;
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
  const called = bare(child(bare(made), "callee")!);
  return partsOf(made).some((node) => {
    const used = node.type === "Identifier" && node !== called ? facts.scopes.resolve(node) : null;
    return (
      used !== null &&
      (used.kind === "variable" || used.kind === "param") &&
      facts.names.gradient(used.name) === 0 &&
      used !== binding
    );
  });
}
