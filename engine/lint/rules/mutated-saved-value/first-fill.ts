/** An output that is made without any values and filled once its closure is there: nobody has read what stood in it. */
import type { FileFacts } from "../../facts.js";
import { partOf } from "../../lookups.js";
import { argumentsOf, bare, child, isCall, isMember, literal, propertyName, type Node } from "../../tree.js";
import { FORM } from "../../value-forms.js";
import { valuesOf } from "../../values.js";
import type { Change } from "./operands.js";

/** `out.data[i] = Math.exp(x.data[i])` of `const out = alloc(n, [x])`; neither `out.data[i] *= k` nor a clip of what is there. */
export function isFirstFill(
  facts: FileFacts,
  { node, value, element, objectKey, field, home }: Change,
): boolean {
  if (!element || value === null || node.operator !== "=") return false;
  const values = valuesOf(facts);
  const key = `${objectKey}.${field}`;
  if (values.reads(value).some((read) => read.kind === "element" && read.container === key)) return false;
  const made = partOf(facts.declarators, home.node).find(
    (one) => values.key(child(one, "id")!) === objectKey,
  );
  const start = made === undefined ? null : child(made, "init");
  const call = start === null ? null : bare(start);
  if (call === null || !(isCall(call) || call.type === "NewExpression")) return false;
  return argumentsOf(call).every((one) => bare(one).type === "ArrayExpression" || isSize(facts, one));
}

/** `n`, `x.data.length`, `x.shape`, `new Float64Array(n)`: how large it is, and nothing else. */
function isSize(facts: FileFacts, given: Node): boolean {
  const inner = bare(given);
  if (literal(inner) !== undefined) return true;
  if (isMember(inner)) return FORM.has(propertyName(inner) ?? "");
  if (inner.type === "NewExpression") return argumentsOf(inner).every((one) => isSize(facts, one));
  if (inner.type === "BinaryExpression")
    return isSize(facts, child(inner, "left")!) && isSize(facts, child(inner, "right")!);
  const [made, ...more] = facts.binding(inner)?.definitions ?? [];
  return (
    made?.kind === "initial" && more.length === 0 && made.path.length === 0 && isSize(facts, made.expression)
  );
}
