/** Lists of nodes that a loop finds as they were before it: what it sweeps then is the same graph in each turn. */
import type { FileFacts } from "../../facts.js";
import { callsOf } from "../../local.js";
import { callsNamed, partOf } from "../../lookups.js";
import type { Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  identifier,
  isCall,
  isMember,
  propertyName,
  receiver,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { contributionsOf } from "../shared/contributions.js";
import type { ListLoop } from "../shared/loops.js";
import { inside, partsOf, targetsOf } from "../shared/nodes.js";
import { isInterior } from "./leaves.js";
import { isIn, type Region } from "./sweeps.js";

export function isFixed(facts: FileFacts, sweep: ListLoop, region: Region): boolean {
  // sums that are made anew in each turn cannot be stale
  for (const { write } of contributionsOf(facts)) {
    if (!inside(write.node, sweep.body) || write.container === "") continue;
    if (isGivenAnew(facts, write.container, region)) return false;
    const root = rootOf(write.target);
    const binding = root === null ? null : facts.binding(root);
    if (
      binding !== null &&
      binding.kind === "variable" &&
      !isOfThis(binding) &&
      isIn(binding.declaration, region) &&
      !isOfTurn(facts, binding, sweep)
    )
      return false;
  }
  return isOld(facts, sweep.list, region, 0);
}

/** `bar = zeros(n);`, `this.adj = fresh();` in the turn. */
const isGivenAnew = (facts: FileFacts, container: string, region: Region): boolean =>
  facts.assignments.some(
    (node) =>
      node.operator === "=" && isIn(node, region) && valuesOf(facts).key(child(node, "left")!) === container,
  );

/** `bar` of `const { bar } = this`, `const bar = this.bar`: the field. */
const isOfThis = ({ definitions }: Binding): boolean =>
  definitions.some(({ kind, expression, path }) => {
    let at = bare(expression);
    if (kind !== "initial" || path.some((step) => !step.startsWith("."))) return false;
    while (isMember(at) && propertyName(at) !== null) at = bare(child(at, "object")!);
    return at.type === "ThisExpression";
  });

/** A name inside of the sweep itself, such as its node at hand. */
const isOfTurn = (_facts: FileFacts, binding: Binding, sweep: ListLoop): boolean =>
  inside(binding.declaration, sweep.node);

function rootOf(target: Node): Node | null {
  let at = bare(target);
  while (isMember(at) || isCall(at)) {
    const next = isMember(at) ? child(at, "object") : receiver(at);
    if (next === null) return null;
    at = bare(next);
  }
  return at.type === "Identifier" ? at : null;
}

/** Made before the loop, and not filled in it. */
function isOld(facts: FileFacts, list: Node, region: Region, depth: number): boolean {
  if (depth > 6) return false;
  const inner = stripped(list);
  if (isMember(inner)) {
    const holder = bare(child(inner, "object")!);
    // `outs[k]`: one of them
    if (propertyName(inner) === null) return isOld(facts, holder, region, depth + 1);
    if (holder.type === "ThisExpression") return !grows(facts, inner, region);
    return isOld(facts, holder, region, depth + 1) && !grows(facts, inner, region);
  }
  // `topo(loss)` of a root from outside
  if (isCall(inner)) {
    const [root] = argumentsOf(inner);
    const target = targetsOf(facts, inner);
    return (
      (receiver(inner) === null || bare(receiver(inner)!).type === "ThisExpression") &&
      root !== undefined &&
      target.length === 1 &&
      isOld(facts, root, region, depth + 1)
    );
  }
  if (inner.type === "ArrayExpression") return sharesOld(facts, inner, region);
  const binding = facts.binding(inner);
  if (binding === null || binding.kind === "import") return false;
  if (!isIn(binding.declaration, region))
    return binding.definitions.every(({ at }) => !inside(at, region.loop)) && !grows(facts, inner, region);
  const [made, ...more] = binding.definitions.filter(({ kind }) => kind !== "element");
  // `for (const y of outputs)`, `outputs.map((y) => ...)`: one of them
  if (made !== undefined && more.length === 0 && made.path.join("") === "[*]")
    return isOld(facts, made.expression, region, depth + 1);
  if (binding.kind === "param") return isHandedOld(facts, binding, region, depth);
  const root = made !== undefined && more.length === 0 ? collectedFrom(facts, binding) : null;
  if (root !== null) return isHandedOld(facts, root, region, depth);
  return (
    made !== undefined &&
    more.length === 0 &&
    made.kind === "initial" &&
    made.path.length === 0 &&
    isOld(facts, made.expression, region, depth + 1)
  );
}

/** `[add(m, x), mul(m, m)]` of an `m` from outside that is made of others: two of the outputs are. */
function sharesOld(facts: FileFacts, list: Node, region: Region): boolean {
  const parts = children(list, "elements").map(
    (one) =>
      new Set(
        (one === null ? [] : partsOf(one)).flatMap((part) => {
          const binding = part.type === "Identifier" ? facts.scopes.resolve(part) : null;
          return binding !== null && !isIn(binding.declaration, region) ? [binding] : [];
        }),
      ),
  );
  return parts.some((mine, i) =>
    parts.slice(0, i).some((other) => [...mine].some((one) => other.has(one) && isInterior(facts, one))),
  );
}

/** `const post = []; const go = (n) => { ...; post.push(n); }; go(root);`: the parameter whose nodes get into the list. */
function collectedFrom(facts: FileFacts, list: Binding): Binding | null {
  const fn = facts.enclosing(list.declaration);
  if (fn === null) return null;
  const walk = facts.functions.find(
    (one) =>
      one.parent === fn &&
      partOf(callsNamed(facts, "push"), one.node).some((call) => {
        const object = receiver(call);
        return object !== null && facts.binding(object) === list;
      }),
  );
  if (walk === undefined) return null;
  for (const call of callsOf(facts, walk)) {
    const [root] = inside(call, walk.node) ? [] : argumentsOf(call);
    const binding = root === undefined ? null : facts.binding(root);
    if (binding?.kind === "param" && facts.scopes.declaredIn(binding, fn.node)) return binding;
  }
  return null;
}

/** `sweep(order, root)`: what the calls in the loop hand over for the parameter. */
function isHandedOld(facts: FileFacts, param: Binding, region: Region, depth: number): boolean {
  const fn = [...region.runs].find((one) => facts.scopes.declaredIn(param, one.node));
  const at = fn?.params.findIndex((one) => facts.binding(bare(one)) === param) ?? -1;
  if (fn === undefined || at < 0) return false;
  const calls = callsNamed(facts, fn.name).filter(
    (call) => isIn(call, region) && targetsOf(facts, call).includes(fn),
  );
  return (
    calls.length > 0 &&
    calls.every((call) => {
      const argument = argumentsOf(call)[at];
      return argument !== undefined && isOld(facts, argument, region, depth + 1);
    })
  );
}

/** `[...order].reverse()`, `order.slice()`: the list. */
export function stripped(list: Node): Node {
  let at = bare(list);
  for (;;) {
    if (
      isCall(at) &&
      /^(?:reverse|toReversed|slice|entries|values)$/.test(calleeName(at) ?? "") &&
      receiver(at) !== null
    )
      at = bare(receiver(at)!);
    else if (at.type === "ArrayExpression") {
      const [only, ...more] = children(at, "elements");
      if (only?.type !== "SpreadElement" || more.length > 0) return at;
      at = bare(child(only, "argument")!);
    } else return at;
  }
}

function grows(facts: FileFacts, list: Node, region: Region): boolean {
  const key = valuesOf(facts).key(list);
  const name = isMember(list) ? propertyName(list) : identifier(list);
  const same = (node: Node): boolean => {
    const inner = bare(node);
    return (
      valuesOf(facts).key(inner) === key ||
      (isMember(inner) && isMember(list) && propertyName(inner) === name)
    );
  };
  return (
    ["push", "unshift", "splice"].some((method) =>
      callsNamed(facts, method).some(
        (call) => receiver(call) !== null && same(receiver(call)!) && isIn(call, region),
      ),
    ) ||
    facts.assignments.some((node) => {
      const left = bare(child(node, "left")!);
      if (!isIn(node, region)) return false;
      return (
        same(left) || (isMember(left) && propertyName(left) === "length" && same(child(left, "object")!))
      );
    })
  );
}
