/** Subscripts: elements, slices, whole contents, and lists turned round. */
import type { Node } from "../tree.js";
import { behind, entry, listOf, make, method, name, type Lowering } from "./lowering.js";
import { named, part, parts, type Syntax } from "./syntax.js";

/** The indices between the brackets, in their order. */
export const subscripts = (node: Syntax): readonly Syntax[] => parts(node, "subscript");

/** `x[i]`, `x[i, j]`; `x[::-1]` is turned round, `x[:]` and `x[...]` are the whole. */
export function lowerSubscript(low: Lowering, node: Syntax): Node {
  const value = part(node, "value");
  const indices = subscripts(node);
  if (value === null || indices.length === 0) return name("undefined", behind(node));
  const object = low.expression(value);
  const [only] = indices;
  if (indices.length === 1) {
    if (only.type === "slice") {
      const { from, to, step } = sliceOf(only);
      if (step !== null && /^-\s*1$/.test(low.source(step)) && from === null && to === null)
        return method(object, "toReversed", [], node);
      return method(
        object,
        "slice",
        [from, to, step].filter((one) => one !== null).map((one) => low.expression(one)),
        node,
      );
    }
    if (only.type === "unary_operator" && /^-\s*1$/.test(low.source(only)))
      return method(object, "at", [low.expression(only)], node);
  }
  return entry(object, indexNode(low, indices), node);
}

/** The index of a stored or read entry. */
export function indexNode(low: Lowering, indices: readonly Syntax[]): Node {
  const lowered = indices.map((index) =>
    index.type === "slice"
      ? make("TemplateLiteral", index, { quasis: [], expressions: slicePart(low, index) })
      : low.expression(index),
  );
  if (lowered.length === 1) return lowered[0];
  return listOf(lowered, { start: indices[0].start, end: indices[indices.length - 1].end });
}

const slicePart = (low: Lowering, slice: Syntax): Node[] => named(slice).map((one) => low.expression(one));

export function sliceOf(slice: Syntax): {
  readonly from: Syntax | null;
  readonly to: Syntax | null;
  readonly step: Syntax | null;
} {
  const found: (Syntax | null)[] = [null, null, null];
  let at = 0;
  for (const child of slice.children) {
    if (child.type === ":") at++;
    else if (child.named && child.type !== "comment" && at < 3) found[at] = child;
  }
  return { from: found[0], to: found[1], step: found[2] };
}
