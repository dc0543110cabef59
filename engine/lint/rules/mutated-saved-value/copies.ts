/** Arrays that were copied out of another: their key is that of what they were copied from, their elements are not. */
import type { FileFacts } from "../../facts.js";
import { bare, calleeName, child, children, isCall, isMember, receiver, type Node } from "../../tree.js";

/** Calls that give the elements in a new array; the rows of an array of arrays stay the same. */
const SHALLOW = /^(?:slice|toReversed|filter|toSorted|flat|concat|from|with|toSpliced|values)$/;
const DEEP = /^(?:map|clone|structuredClone|copy)$/;

/** `a[i]` or `a` of `const a = p.a.slice()`, also by way of other names. */
export function isCopied(facts: FileFacts, target: Node): boolean {
  let at = bare(target);
  let levels = 0;
  for (; isMember(at) && at.computed === true; levels++) at = bare(child(at, "object")!);
  for (let steps = 0; steps < 8 && at.type === "Identifier"; steps++) {
    const made = facts.binding(at)?.definitions.filter(({ kind }) => kind !== "element") ?? [];
    if (made.length !== 1 || made[0].path.length > 0) return false;
    at = bare(made[0].expression);
    // `p.a.slice().sort()`: the same array once more
    while (isCall(at) && /^(?:sort|reverse|fill)$/.test(calleeName(at) ?? "")) {
      const list = receiver(at);
      if (list === null) return false;
      at = bare(list);
    }
    const name = isCall(at) ? (calleeName(at) ?? "") : "";
    if (DEEP.test(name) || at.type === "NewExpression") return true;
    const spread =
      at.type === "ArrayExpression" && children(at, "elements").some((one) => one?.type === "SpreadElement");
    if (SHALLOW.test(name) || spread) return levels < 2;
  }
  return false;
}
