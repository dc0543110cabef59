/** What functions count: in a variable of the module, in a field of a class, of an object of the module or of their own. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { assignmentsTo, groupBy } from "../../lookups.js";
import { bare, child, isMember, propertyName, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { inside, nodesIn, partsOf, runsIn } from "../shared/nodes.js";
import { counterIn, decides, mayCount } from "./sources.js";

export interface Count {
  /** where it is counted */
  readonly node: Node;
  readonly what: string;
  /** the count where the function works with it */
  readonly uses: readonly Node[];
  /** stores of something else into it, wherever they stand */
  readonly resets: readonly Node[];
}

/** A look before values are followed. */
export const mayHoldCount = (facts: FileFacts, fn: Fn): boolean =>
  mayCount(facts, fn) || fieldCounts(facts).has(fn);

export function countIn(facts: FileFacts, fn: Fn): Count | null {
  const named = counterIn(facts, fn);
  if (named !== null) {
    const binding = facts.binding(
      child(named.node, named.node.type === "UpdateExpression" ? "argument" : "left")!,
    )!;
    return {
      ...named,
      uses: [named.node, ...named.uses],
      resets: assignmentsTo(facts, binding).filter((one) => one.operator === "=" && !mentions(facts, one)),
    };
  }
  for (const { node, key } of fieldCounts(facts).get(fn) ?? []) {
    const same = (member: Node): boolean =>
      valuesOf(facts).key(member) === key && !inside(member, node) && runsIn(facts, member) === fn;
    const uses = nodesIn(facts, "MemberExpression", fn.node).filter((one) => same(one) && decides(one));
    if (uses.length === 0 && !decides(node)) continue;
    return {
      node,
      what: `a counter of calls, \`${facts.source(targetOf(node))}\`,`,
      uses: [node, ...uses],
      resets: facts.assignments.filter(
        (one) =>
          one.operator === "=" && valuesOf(facts).key(child(one, "left")!) === key && !mentions(facts, one),
      ),
    };
  }
  return null;
}

const targetOf = (node: Node): Node =>
  bare(child(node, node.type === "UpdateExpression" ? "argument" : "left")!);

/** `n = n + 1` counts on, `n = kept` does not. */
function mentions(facts: FileFacts, store: Node): boolean {
  const key = valuesOf(facts).key(child(store, "left")!);
  return partsOf(child(store, "right")!).some(
    (part) => (part.type === "Identifier" || isMember(part)) && valuesOf(facts).key(part) === key,
  );
}

/** `Cell.calls++`, `state.n += 1`, `this.turn++` by the function that runs them. */
const fieldCounts = (
  facts: FileFacts,
): ReadonlyMap<Fn, readonly { readonly node: Node; readonly key: string; readonly fn: Fn | null }[]> =>
  facts.once("counts in fields", (file) =>
    groupBy(
      [...file.updates, ...file.assignments.filter((one) => one.operator === "+=" || one.operator === "=")]
        .filter((node) => {
          const target = targetOf(node);
          if (!isMember(target) || propertyName(target) === null) return false;
          if (file.names.gradient(propertyName(target)!) > 0) return false;
          if (node.type === "AssignmentExpression" && !countsOn(file, node)) return false;
          const holder = bare(child(target, "object")!);
          const binding = file.binding(holder);
          return (
            holder.type === "ThisExpression" ||
            (binding !== null &&
              binding.scope.type === "Program" &&
              (binding.kind === "class" || binding.kind === "variable"))
          );
        })
        .map((node) => ({ node, key: valuesOf(file).key(targetOf(node)), fn: runsIn(file, node) })),
      ({ fn }) => fn,
    ),
  );

/** `+= 1`, `= x + 1`, `= !x`: by nothing of the call at hand. */
function countsOn(facts: FileFacts, node: Node): boolean {
  const value = child(node, "right")!;
  if (node.operator === "=" && !mentions(facts, node)) return false;
  return partsOf(value).every((part) => {
    const binding = part.type === "Identifier" ? facts.binding(part) : null;
    return binding?.kind !== "param" && part.type !== "CallExpression";
  });
}
