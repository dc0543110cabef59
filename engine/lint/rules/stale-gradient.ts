/**
 * A second sweep that adds to what the first one left. Leaves are meant to collect; an interior node that still holds
 * the cotangent of the last sweep hands it on once more.
 */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { callsOf } from "../local.js";
import { isBlank, slotNamesOf } from "../overwriting/slots.js";
import { place } from "../overwriting/words.js";
import { everySeverity, type Finding, type Rule } from "../report.js";
import type { Binding } from "../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  identifier,
  isFunction,
  isMember,
  literal,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../tree.js";
import { writesOf, type Write } from "../writes.js";
import { isOne, loopsAround } from "../reverse.js";
import { contributionsOf, seedsOf, showsContributions, stepNames } from "./shared/contributions.js";
import { inside, nodesOf, partsOf, runsIn } from "./shared/nodes.js";
import { testsBefore } from "./shared/recursion.js";
import { rootOf } from "../overwriting/judge.js";

export const staleGradient: Rule = {
  name: "stale-gradient",
  summary: "a second sweep runs over interior gradients that were not set back to zero",
  severity: everySeverity("warning"),
  *check(facts: FileFacts): Iterable<Finding> {
    if (!showsContributions(facts)) return;
    const found = [...partialResets(facts), ...repeatedSweeps(facts), ...keptBetween(facts)];
    found.sort((a, b) => a.start - b.start);
    yield* found;
  },
};

/** Stores of nothing into gradient slots, outside of constructors. */
const resets = (facts: FileFacts): readonly Write[] =>
  facts.once("resets", (file) =>
    writesOf(file).filter(({ node, value, form, name }) => {
      if (form === "add" || form === "scale" || file.names.gradient(name) === 0) return false;
      const home = runsIn(file, node);
      return isBlank(file, value) && !isOne(value) && home !== null && home.kind !== "constructor";
    }),
  );

const LEAF = /leaf|input|param|trainable|variable|isvar|weight/i;

/** A reset that asks for leaves and leaves out the rest, where nothing else clears. */
function* partialResets(facts: FileFacts): Iterable<Finding> {
  const slots = slotNamesOf(facts);
  for (const write of resets(facts)) {
    const fn = runsIn(facts, write.node);
    if (fn === null || loopsAround(facts, write.node).length === 0) continue;
    const tests = testsBefore(facts, write.node, fn.node);
    const leaf = tests.find((test) => asksForLeaf(facts, test, write.node));
    if (leaf === undefined) continue;
    const others = resets(facts).some(
      (other) =>
        other !== write &&
        slots.canonical(other.name) === slots.canonical(write.name) &&
        (loopsAround(facts, other.node).length > 0 || !other.element) &&
        runsIn(facts, other.node) !== null &&
        !testsBefore(facts, other.node, runsIn(facts, other.node)!.node).some((test) =>
          asksForLeaf(facts, test, other.node),
        ),
    );
    const interior = contributionsOf(facts).some(
      (one) =>
        slots.canonical(one.write.name) === slots.canonical(write.name) && one.verdict === "accumulates",
    );
    if (others || !interior) continue;
    yield {
      start: startOf(write.node),
      end: endOf(write.node),
      message:
        "only leaves are set back to zero: interior nodes keep what the last sweep left, and the next sweep hands it on once more. Clear every node before a sweep.",
      evidence: "structural",
      related: [place(leaf, "asks for leaves")],
    };
  }
}

/** `if (n.isLeaf)`, `if (input)`, `if (n.parents.length === 0)`, and `if (!n.isLeaf) continue`. */
function asksForLeaf(facts: FileFacts, test: Node, write: Node): boolean {
  const inner = bare(test);
  const holder = inner.parent?.type === "IfStatement" ? inner.parent : null;
  const leaves = holder !== null && !inside(write, holder);
  const negated = inner.type === "UnaryExpression" && inner.operator === "!";
  const at = negated ? bare(child(inner, "argument")!) : inner;
  if (at.type === "BinaryExpression") {
    const sides = [bare(child(at, "left")!), bare(child(at, "right")!)];
    const sized =
      sides.some((side) => isMember(side) && propertyName(side) === "length") &&
      sides.some((side) => literal(side) === 0);
    if (!sized)
      return (
        sides.some((side) => LEAF.test(String(literal(side)))) &&
        String(at.operator).startsWith(leaves ? "!" : "=")
      );
    return /^===?$/.test(String(at.operator)) ? !leaves : /^(?:>|!==?)$/.test(String(at.operator)) && leaves;
  }
  const name = isMember(at)
    ? (propertyName(at) ?? facts.source(at))
    : (identifier(at) ?? calleeName(at) ?? "");
  return LEAF.test(name) && negated === leaves;
}

interface Driver {
  readonly fn: Fn;
}

/** Functions that seed a node's own slot, sweep, and clear nothing. */
const drivers = (facts: FileFacts): readonly Driver[] =>
  facts.once("drivers", (file) => {
    const found = new Map<Fn, Driver>();
    for (const seed of seedsOf(file)) {
      const fn = runsIn(file, seed.node);
      const write = writesOf(file).find(({ node }) => node === seed.node);
      if (fn === null || write === undefined || found.has(fn) || fn.kind === "constructor") continue;
      if (!sweeps(file, fn, seed.node)) continue;
      // sums that are made anew in each sweep cannot be stale
      const root = rootOf(write.target);
      const binding = root === null ? null : file.binding(root);
      if (write.object === null && binding !== null && file.scopes.declaredIn(binding, fn.node)) continue;
      const clears =
        resets(file).some(({ node }) => runsIn(file, node) === fn) ||
        writesOf(file).some(
          ({ node, name, value }) =>
            runsIn(file, node) === fn && name === write.name && isBlank(file, value) && !isOne(value),
        ) ||
        file.calls.some((call) => runsIn(file, call) === fn && file.names.reset(calleeName(call) ?? ""));
      if (!clears) found.set(fn, { fn });
    }
    return [...found.values()];
  });

function sweeps(facts: FileFacts, fn: Fn, after: Node): boolean {
  const names = stepNames(facts);
  return (
    contributionsOf(facts).some(
      ({ write }) => inside(write.node, fn.node) && startOf(write.node) > startOf(after),
    ) ||
    facts.calls.some((call) => {
      const name = calleeName(call) ?? "";
      return (
        inside(call, fn.node) &&
        startOf(call) > startOf(after) &&
        (names.has(name) || facts.names.backward(name))
      );
    })
  );
}

/** Sweeps from one root in a loop around nothing that builds it anew, or one after the other. */
function* repeatedSweeps(facts: FileFacts): Iterable<Finding> {
  for (const { fn } of drivers(facts)) {
    const calls = callsOf(facts, fn).filter((call) => !inside(call, fn.node));
    const roots = calls.map((call) => ({ call, root: rootBinding(facts, call, fn) }));
    const told = new Set<Node>();
    for (const { call, root } of roots) {
      if (root === null) continue;
      const loop = loopAround(facts, call);
      if (loop === null || builtIn(facts, root, loop) || clearsIn(facts, loop, true)) continue;
      told.add(call);
      yield report(
        call,
        `the sweep runs again in each turn of this loop over a graph that was built before it, and \`${fn.name}\` clears nothing: interior nodes still hold the cotangents of the turn before.`,
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

/** Something in the loop clears more than leaves. */
function clearsIn(facts: FileFacts, loop: Node, leavesDoNotCount: boolean): boolean {
  if (facts.calls.some((call) => inside(call, loop) && facts.names.reset(calleeName(call) ?? "")))
    return true;
  return resets(facts).some(({ node }) => {
    if (!inside(node, loop)) return false;
    const [around] = loopsAround(facts, node);
    const walked = around === undefined ? null : (child(around.node, "right") ?? null);
    const text = walked === null ? facts.source(node) : facts.source(walked);
    return !(leavesDoNotCount && /param|weight|leaf|leaves|input/i.test(text));
  });
}

function clearsBetween(facts: FileFacts, a: Node, b: Node): boolean {
  const between = (node: Node): boolean => startOf(node) > endOf(a) && endOf(node) < startOf(b);
  return (
    facts.calls.some((call) => between(call) && facts.names.reset(calleeName(call) ?? "")) ||
    resets(facts).some(({ node }) => between(node))
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
  const out = new Set<Binding>();
  const queue = [root];
  while (queue.length > 0) {
    const binding = queue.pop()!;
    if (out.has(binding)) continue;
    out.add(binding);
    for (const { expression, kind } of binding.definitions)
      if (kind !== "element")
        for (const node of partsOf(expression)) {
          const used = node.type === "Identifier" ? facts.scopes.resolve(node) : null;
          if (used !== null && used.kind === "variable") queue.push(used);
        }
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

/** A list of cotangents of the module, which each sweep adds to and none clears. */
function* keptBetween(facts: FileFacts): Iterable<Finding> {
  const seen = new Set<Binding>();
  for (const seed of seedsOf(facts)) {
    const write = writesOf(facts).find(({ node }) => node === seed.node)!;
    if (write.object !== null || write.container === "") continue;
    const root = rootOf(write.target);
    const binding = root === null ? null : facts.binding(root);
    if (
      binding === null ||
      binding.scope.type !== "Program" ||
      binding.kind !== "variable" ||
      seen.has(binding)
    )
      continue;
    const sums = contributionsOf(facts).some(
      ({ write: one, verdict }) => one.container === write.container && verdict === "accumulates",
    );
    const cleared =
      binding.definitions.filter(({ kind }) => kind === "assigned").length > 0 ||
      resets(facts).some(({ container }) => container === write.container) ||
      clearedByLength(facts, binding);
    if (!sums || cleared || runsIn(facts, seed.node) === null) continue;
    seen.add(binding);
    yield {
      start: startOf(seed.node),
      end: endOf(seed.node),
      message: `\`${binding.name}\` outlives the sweep, which seeds it and adds to it and never clears it: the next sweep starts from what this one leaves.`,
      evidence: "structural",
      related: [place(binding.declaration, "made once")],
    };
  }
}

function clearedByLength(facts: FileFacts, binding: Binding): boolean {
  return (
    nodesOf(facts, "AssignmentExpression").some((node) => {
      const left = bare(child(node, "left")!);
      return (
        isMember(left) && propertyName(left) === "length" && facts.binding(child(left, "object")!) === binding
      );
    }) ||
    facts.calls.some((call) => {
      const object = receiver(call);
      return (
        object !== null &&
        facts.binding(object) === binding &&
        /^(?:clear|fill|splice|delete)$/.test(calleeName(call) ?? "")
      );
    }) ||
    isFunction(binding.declaration)
  );
}
