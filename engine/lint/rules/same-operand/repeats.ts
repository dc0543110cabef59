/** Other ways in which a list of operands loses a repeated one: filled one by one into a Set or Map, filtered to firsts, skipped. */
import type { FileFacts } from "../../facts.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import type { Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  isCall,
  isFunction,
  receiver,
  startOf,
  within,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { contributionsOf, type Contribution } from "../shared/contributions.js";
import { nodesOf, partsOf, runsIn } from "../shared/nodes.js";
import { testsBefore } from "../shared/recursion.js";

/** `operands.filter((p, i) => operands.indexOf(p) === i)`. */
export function keepsFirsts(facts: FileFacts, call: Node): boolean {
  const list = receiver(call);
  const [callback] = argumentsOf(call);
  if (calleeName(call) !== "filter" || list === null || callback === undefined || !isFunction(callback))
    return false;
  return (facts.functionOf(callback)?.returns ?? []).some((value) =>
    isFirst(facts, value, valuesOf(facts).key(list)),
  );
}

/** `list.indexOf(p) === i`: is it the first of its kind? */
function isFirst(facts: FileFacts, test: Node, list: string): boolean {
  const inner = bare(test);
  if (inner.type !== "BinaryExpression" || !/^[!=]==?$/.test(String(inner.operator))) return false;
  const sides = [bare(child(inner, "left")!), bare(child(inner, "right")!)];
  const found = sides.find((side) => isCall(side) && /^(?:indexOf|findIndex)$/.test(calleeName(side) ?? ""));
  const other = sides.find((side) => side !== found);
  return (
    found !== undefined &&
    other?.type === "Identifier" &&
    receiver(found) !== null &&
    valuesOf(facts).key(receiver(found)!) === list
  );
}

/** `const m = new Map(); m.set(a, da); m.set(b, db);`: filled with the operands of one operation. */
export function filledOneByOne(facts: FileFacts, kind: "Set" | "Map"): readonly Node[] {
  return facts.news.filter((node) => {
    if (calleeName(node) !== kind || argumentsOf(node).length > 0) return false;
    const binding = nameOf(facts, node);
    const home = runsIn(facts, node);
    if (binding === null || home === null) return false;
    const method = kind === "Map" ? "set" : "add";
    const keys = new Set<string>();
    for (const call of facts.calls) {
      const holder = receiver(call);
      if (calleeName(call) !== method || holder === null || facts.binding(holder) !== binding) continue;
      const [key, value] = argumentsOf(call);
      if (key === undefined || runsIn(facts, call) !== home) return false;
      const name = valuesOf(facts).key(key);
      const each = isEachOperand(facts, key, name);
      // what is there is added to
      if (each && (value === undefined || mentions(facts, value, binding))) return false;
      if (!each && !isOperand(facts, key, home.node)) return false;
      keys.add(name);
      if (each) keys.add(`${name} of the next turn`);
    }
    return keys.size > 1;
  });
}

/** `n.operands.forEach((p, k) => parts.set(p, gs[k]))`. */
const isEachOperand = (facts: FileFacts, node: Node, key: string): boolean =>
  facts.binding(node) !== null &&
  /\.(?:\w*(?:operand|parent|input|arg|child|dep|prev|in)s?\w*)\[\*\]$/i.test(key);

const mentions = (facts: FileFacts, value: Node, binding: Binding): boolean =>
  partsOf(value).some((part) => part.type === "Identifier" && facts.scopes.resolve(part) === binding);

const isOperand = (facts: FileFacts, node: Node, fn: Node): boolean => {
  const inner = bare(node);
  const binding = facts.binding(inner);
  return (
    inner.type === "ThisExpression" || (binding?.kind === "param" && facts.scopes.declaredIn(binding, fn))
  );
};

function nameOf(facts: FileFacts, node: Node): Binding | null {
  const parent = node.parent;
  return parent?.type === "VariableDeclarator" ? facts.binding(child(parent, "id")!) : null;
}

/** Where a collection that is filled under a name of its own is kept afterwards. */
export function storedAs(facts: FileFacts, node: Node): Node | null {
  if (argumentsOf(node).length > 0) return null;
  const binding = nameOf(facts, node);
  if (binding === null) return null;
  return (
    nodesOf(facts, "Identifier").find((use) => {
      if (facts.scopes.resolve(use) !== binding || use === binding.declaration) return false;
      const parent = use.parent;
      return (
        (parent?.type === "AssignmentExpression" && child(parent, "right") === use) ||
        (parent?.type === "Property" && child(parent, "value") === use) ||
        (parent?.type === "NewExpression" && argumentsOf(parent).includes(use))
      );
    }) ?? null
  );
}

/** A contribution that a repeated operand does not get: `if (seen.has(p)) continue;`, `if (n.ins.indexOf(p) === i)`. */
export function* skipped(facts: FileFacts): Iterable<{ node: Node; finding: Finding }> {
  const values = valuesOf(facts);
  for (const { write, operand, weighed } of contributionsOf(facts)) {
    const home = runsIn(facts, write.node);
    if (!weighed!.carried || home === null || !/\[[^\]]*\](?:\[\d\]|\.\w+)?$/.test(operand)) continue;
    const list = operand.replace(/\[[^\]]*\](?:\[\d\]|\.\w+)?$/, "");
    for (const test of testsBefore(facts, write.node, home.node)) {
      const asks = partsOf(test).some(
        (part) =>
          isFirst(facts, part, list) || (asksFor(facts, part, operand) && perNode(facts, part, write.node)),
      );
      if (!asks) continue;
      yield {
        node: test,
        finding: {
          start: startOf(test),
          end: endOf(test),
          message:
            "a repeated operand is passed over: of `x * x` one use is paid. Pay each place of the list of operands.",
          evidence: "structural",
          related: [place(write.node, `the contribution to \`${facts.source(write.target)}\``)],
        },
      };
      break;
    }
  }

  function asksFor(file: FileFacts, part: Node, operand: string): boolean {
    if (!isCall(part) || calleeName(part) !== "has" || receiver(part) === null) return false;
    const [key] = argumentsOf(part);
    return key !== undefined && values.key(key) === operand && file.binding(receiver(part)!) !== null;
  }
}

/** The set is made anew for each node: it tells the operands of one node apart, not the nodes of the sweep. */
function perNode(facts: FileFacts, asked: Node, write: Node): boolean {
  const binding = facts.binding(receiver(asked)!);
  const made = binding?.definitions.find(({ kind }) => kind === "initial");
  if (made === undefined || calleeName(bare(made.expression)) !== "Set") return false;
  if (argumentsOf(bare(made.expression)).length > 0) return false;
  const own = runsIn(facts, made.at);
  if (own === null || own !== runsIn(facts, write)) return false;
  // around the walk over the nodes it would be a set of visited nodes
  const loops = facts.loops.filter((loop) => within(write, loop) && !within(made.at, loop));
  return loops.length <= 1 && facts.loops.some((loop) => within(made.at, loop) && within(write, loop));
}

/** `n.locals[n.inputs.indexOf(p)]`, `n.inputs.find(...)`: the place of the first of two equal operands. */
export function* lookedUp(facts: FileFacts): Iterable<{ node: Node; finding: Finding }> {
  for (const one of contributionsOf(facts)) {
    if (!one.weighed!.carried) continue;
    const found = searched(facts, one);
    if (found === null) continue;
    yield {
      node: found,
      finding: {
        start: startOf(found),
        end: endOf(found),
        message:
          "an operand's place is looked up by identity, and a repeated operand is found at its first place both times. Take the index from the walk over the operands.",
        evidence: "structural",
        related: [place(one.write.node, "the contribution")],
      },
    };
  }
}

function searched(facts: FileFacts, one: Contribution): Node | null {
  const values = valuesOf(facts);
  const roots = [one.write.value];
  for (const node of partsOf(one.write.value)) {
    const binding = node.type === "Identifier" ? facts.scopes.resolve(node) : null;
    if (binding?.kind === "variable" && binding.definitions.length === 1)
      roots.push(binding.definitions[0].expression);
  }
  for (const root of roots)
    for (const node of partsOf(root)) {
      if (!isCall(node) || !/^(?:indexOf|lastIndexOf)$/.test(calleeName(node) ?? "")) continue;
      const list = receiver(node);
      const [what] = argumentsOf(node);
      if (list === null || what === undefined) continue;
      if (values.key(what) === one.operand && one.operand === `${values.key(list)}[*]`) return node;
    }
  return null;
}
