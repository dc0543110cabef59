/** Lists of leaves: by their names, or because the loop moves them by their gradients or hands these out. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { localFunction } from "../../local.js";
import { callsNamed, partOf } from "../../lookups.js";
import { slotNamesOf } from "../../overwriting/slots.js";
import type { Binding } from "../../scopes.js";
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
  keyName,
  propertyName,
  receiver,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf } from "../../writes.js";
import { backwardClosures } from "../shared/contributions.js";
import { listLoops, type ListLoop } from "../shared/loops.js";
import { inside, nodesIn, nodesOf, partsOf, runsIn } from "../shared/nodes.js";
import { stripped } from "./fixed-lists.js";
import { asksForLeaf } from "./resets.js";
import { paidNames } from "./starts.js";

const LEAVES = /param|weight|bias|leaf|leaves|input|theta|trainable|wrt|coef/i;
const NODES = /node|tape|graph|order|topo|all|every|entr|ops|steps|records|tensors|vals|values|vars/i;

/** A list that is walked to set slots back, and where. */
export type Walk = Pick<ListLoop, "node" | "body" | "list">;

/** The loop walks leaves, and not what the sweep walks. */
export function isOfLeaves(facts: FileFacts, walk: Walk, sweep: ListLoop, loop: Node): boolean {
  const values = valuesOf(facts);
  if (isOfKept(facts, walk.list)) return true;
  if (values.key(stripped(walk.list)) === values.key(stripped(sweep.list))) return false;
  const list = stripped(walk.list);
  if (list.type === "ArrayExpression") return areLeaves(facts, list);
  const name = (isMember(list) ? propertyName(list) : identifier(list)) ?? "";
  if (isCall(list)) return LEAVES.test(calleeName(list) ?? "") && argumentsOf(list).length === 0;
  // `for (const n of order) for (const p of n.inputs) ...`: whatever is below some node
  if (
    listLoops(facts).some(
      (one) =>
        one.body !== walk.body &&
        inside(walk.node, one.body) &&
        inside(one.node, loop) &&
        one.body !== loop &&
        values.key(list).startsWith(one.current),
    )
  )
    return false;
  if (LEAVES.test(name)) return true;
  if (NODES.test(name)) return false;
  return read(facts, walk, loop);
}

/** `list.filter((n) => n.isLeaf)`, `nodes.filter((n) => n.inputs.length === 0)`. */
function isOfKept(facts: FileFacts, list: Node): boolean {
  const at = bare(list);
  const [test] = isCall(at) && calleeName(at) === "filter" ? argumentsOf(at).map(bare) : [];
  const kept = test !== undefined && isFunction(test) ? (facts.functionOf(test)?.returns ?? []) : [];
  return kept.length === 1 && asksForLeaf(facts, kept[0], at);
}

/** `for (const p of xs) p.data -= rate * p.grad`, `xs.map((x) => x.grad)` in the same turn. */
function read(facts: FileFacts, walk: Walk, loop: Node): boolean {
  const values = valuesOf(facts);
  const key = values.key(stripped(walk.list));
  return listLoops(facts).some((one) => {
    const near = inside(one.node, loop) || runsIn(facts, one.node) === runsIn(facts, walk.node);
    if (!near || values.key(stripped(one.list)) !== key) return false;
    const moves = writesOf(facts).some(
      ({ node, name, value }) =>
        inside(node, one.body) && !isSlot(facts, name) && (one.body !== walk.body || readsSlot(facts, value)),
    );
    return moves || (isCall(one.node) ? handsOut(facts, one) : pushesOut(facts, one));
  });
}

const isSlot = (facts: FileFacts, name: string): boolean =>
  facts.names.gradient(name) > 0 || paidNames(facts).has(slotNamesOf(facts).canonical(name));

/** What the callback gives is the slot of the node at hand. */
const handsOut = (facts: FileFacts, one: ListLoop): boolean =>
  (facts.functionOf(one.body)?.returns ?? []).some((value) => readsSlot(facts, value));

/** `for (const x of xs) row.push(x.grad);`. */
const pushesOut = (facts: FileFacts, one: ListLoop): boolean =>
  partOf(callsNamed(facts, "push"), one.body).some((call) =>
    argumentsOf(call).some((value) => readsSlot(facts, value)),
  );

/** A slot of a node stands in the value: `rate * p.grad`, `bars[i]`. */
const readsSlot = (facts: FileFacts, value: Node): boolean =>
  nodesIn(facts, "MemberExpression", value).some((member) => {
    const name = propertyName(member);
    // `bars.get(x)` and `bars[x]`
    if (name !== null && name !== "get") return isSlot(facts, name);
    const list = bare(child(member, "object")!);
    const holder = isMember(list) ? propertyName(list) : identifier(list);
    return holder !== null && isSlot(facts, holder);
  });

/** An element of `[w, this.x, ...inputs]`. */
function isOfLeaf(facts: FileFacts, element: Node | null): boolean {
  if (element === null) return true;
  const inner = bare(element.type === "SpreadElement" ? child(element, "argument")! : element);
  const name = (isMember(inner) ? propertyName(inner) : identifier(inner)) ?? "";
  if (element.type === "SpreadElement") return LEAVES.test(name);
  if (isMember(inner)) return propertyName(inner) !== null && !isInteriorField(facts, propertyName(inner)!);
  const binding = facts.binding(inner);
  return binding !== null && !isInterior(facts, binding);
}

/** A node that is made of others: `mul(a, b)`, or `new Node(calc, (n) => ...)` that is handed how it pays them. */
export function isInterior(facts: FileFacts, binding: Binding): boolean {
  const [made] = binding.definitions.filter(({ kind }) => kind === "initial");
  if (made === undefined || made.path.length > 1) return false;
  if (made.path.length === 0) return isInteriorValue(facts, made.expression);
  // `const { y } = this`
  const own = bare(made.expression).type === "ThisExpression" && made.path[0].startsWith(".");
  return own && isInteriorField(facts, made.path[0].slice(1));
}

/** `this.y`, where some store into the field is of such a node. */
export const isInteriorField = (facts: FileFacts, field: string): boolean =>
  [
    ...facts.assignments.flatMap((node) => {
      const target = bare(child(node, "left")!);
      const own = isMember(target) && bare(child(target, "object")!).type === "ThisExpression";
      return own && propertyName(target) === field ? [child(node, "right")!] : [];
    }),
    ...nodesOf(facts, "PropertyDefinition").flatMap((node) => {
      const value = child(node, "value");
      return value !== null && keyName(child(node, "key")!, node.computed === true) === field ? [value] : [];
    }),
  ].some((value) => {
    const binding = facts.binding(value);
    return binding === null ? isInteriorValue(facts, value) : isInterior(facts, binding);
  });

function isInteriorValue(facts: FileFacts, made: Node): boolean {
  let value = bare(made);
  // `const y = this.y = mul(a, b)`
  while (value.type === "AssignmentExpression") value = bare(child(value, "right")!);
  if (!isCall(value) && value.type !== "NewExpression") return false;
  const given = argumentsOf(value).map(bare);
  if (given.some((one) => isFunction(one) || one.type === "ArrayExpression")) return true;
  const maker = isCall(value) ? localFunction(facts, value) : null;
  if (maker !== null) return linksOperands(facts, maker);
  return isCall(value) && (receiver(value) !== null || given.some((one) => !isNumber(one)));
}

const isNumber = (node: Node): boolean => /^(?:Literal|UnaryExpression)$/.test(node.type);

/** An operation leaves a closure behind, or writes its operands down: `node(v, [a, b])`. */
export function linksOperands(facts: FileFacts, maker: Fn): boolean {
  return (
    backwardClosures(facts).some((fn) => inside(fn.node, maker.node)) ||
    nodesIn(facts, "ArrayExpression", maker.node).some((list) =>
      partsOf(list).some((part) => {
        const binding = part.type === "Identifier" ? facts.scopes.resolve(part) : null;
        const own = binding?.kind === "param" && facts.scopes.declaredIn(binding, maker.node);
        return part.type === "ThisExpression" || own;
      }),
    )
  );
}

/** Elements of a list that is written down are leaves, all of them. */
export const areLeaves = (facts: FileFacts, list: Node): boolean =>
  children(list, "elements").every((one) => isOfLeaf(facts, one));
