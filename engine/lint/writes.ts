/** Every store into something that could be a gradient slot: fields, elements, map entries, records, buffers. */
import type { FileFacts } from "./facts.js";
import { holdsMap } from "./lookups.js";
import { putInto } from "./puts.js";
import { leaves } from "./scopes.js";
import { aliasName, handedSlot, isOffset, isTyped, paidFromOthers, partOfSlot } from "./slot-spellings.js";
import {
  argumentsOf,
  bare,
  byteOrder,
  calleeName,
  child,
  children,
  identifier,
  isCall,
  isMember,
  keyName,
  literal,
  propertyName,
  receiver,
  type Node,
} from "./tree.js";
import { valuesOf } from "./values.js";
import { container, field } from "./write-places.js";
import {
  addingName,
  COPYING,
  describedValue,
  FORMS,
  putsEntry,
  type Write,
  type WriteForm,
} from "./write-forms.js";

export { addingName, type Write, type WriteForm } from "./write-forms.js";

/** All writes of the file, in the order of the text. */
export const writesOf = (facts: FileFacts): readonly Write[] => facts.once("writes", collect);

function collect(facts: FileFacts): readonly Write[] {
  const out: Write[] = [];
  for (const node of facts.assignments) {
    const left = bare(child(node, "left")!);
    const value = child(node, "right")!;
    const form = FORMS[node.operator as string] ?? "scale";
    if (isMember(left)) pushTo(facts, out, left, node, form, value);
    else if (left.type === "ArrayPattern" || left.type === "ObjectPattern")
      for (const { target } of leaves(left))
        if (isMember(target)) pushTo(facts, out, target, node, "destructure", value);
  }
  for (const call of facts.calls) fromCall(facts, out, call);
  for (const object of facts.objects) fromSpread(facts, out, object);
  for (const node of facts.invocations()) {
    const put = putInto(facts, node);
    if (put !== null) container(facts, out, node, put.record, "spread", put.value, put.key);
  }
  return out.sort((a, b) => byteOrder(a.node, b.node));
}

/** One store into a member expression. */
function pushTo(
  facts: FileFacts,
  out: Write[],
  target: Node,
  node: Node,
  form: WriteForm,
  value: Node,
): void {
  const values = valuesOf(facts);
  // down to the field or the name at the root of `x.grad[i][j]`
  let base = target;
  let index: Node | null = null;
  while (isMember(base) && propertyName(base) === null) {
    index = child(base, "property");
    base = bare(child(base, "object")!);
  }
  const stretch = index === null ? null : paidFromOthers(facts, base, value);
  if (stretch !== null) {
    container(facts, out, node, stretch.of, form, value, stretch.from);
    return;
  }
  const handed = handedSlot(facts, base);
  const field = handed !== null ? handed.name : isMember(base) ? propertyName(base) : null;
  const object = handed !== null ? handed.object : field === null ? null : child(base, "object");
  const part = field === null ? null : partOfSlot(facts, field, bare(object!));
  if (part !== null) {
    const holder = child(part, "object")!;
    out.push({
      node,
      target,
      form,
      value,
      object: holder,
      objectKey: values.key(holder),
      name: propertyName(part)!,
      element: true,
      container: values.key(base),
      index,
      indexKey: index === null ? "" : values.key(index),
    });
    return;
  }
  out.push({
    node,
    target,
    form,
    value,
    object,
    objectKey: object === null ? "" : values.key(object),
    name: field ?? aliasName(facts, base),
    element: index !== null,
    container: index === null ? "" : values.key(base),
    index,
    indexKey: index === null ? "" : values.key(index),
  });
}

function fromCall(facts: FileFacts, out: Write[], call: Node): void {
  const name = calleeName(call);
  if (name === null) return;
  const args = argumentsOf(call);
  const object = receiver(call);
  const holder = object === null ? null : bare(object);
  if (name === "assign" && identifier(holder) === "Object" && args.length >= 2) {
    // `Object.assign({}, grads, { [k]: c })` writes into a copy of the second
    const [first, second] = [bare(args[0]), bare(args[1])];
    const copies = first.type === "ObjectExpression" && children(first, "properties").length === 0;
    const target = copies && args.length > 2 && second.type !== "ObjectExpression" ? second : first;
    for (const source of args.slice(target === first ? 1 : 2)) {
      const record = bare(source);
      if (record.type === "ObjectExpression") recordFields(facts, out, target, record, call);
      else container(facts, out, call, target, "merge", source, null);
    }
    return;
  }
  if (name === "set" && identifier(holder) === "Reflect" && args.length === 3) {
    const key = literal(args[1]);
    if (typeof key === "string") field(facts, out, call, args[0], key, "assign", args[2]);
    return;
  }
  // `Object.defineProperty(node, "grad", { value: c })`
  if (name === "defineProperty" && args.length === 3) {
    const key = literal(args[1]);
    const value = describedValue(bare(args[2]));
    if (typeof key === "string" && value !== null) field(facts, out, call, args[0], key, "assign", value);
    return;
  }
  if (
    holder !== null &&
    args.length === 2 &&
    name === "set" &&
    (holdsMap(facts, holder) || (!isOffset(args[1]) && !isTyped(facts, holder)))
  ) {
    container(facts, out, call, holder, "map-set", args[1], args[0]);
    return;
  }
  // `adj = adj.with(p, c)`, `view.setFloat64(p, c)`
  if (holder !== null && args.length >= 2 && (putsEntry(call, name) || /^setFloat(?:32|64)$/.test(name))) {
    container(facts, out, call, holder, "map-set", args[1], args[0]);
    return;
  }
  // `bars.splice(p, 1, c)` puts one entry in the place of another
  if (holder !== null && name === "splice" && args.length === 3 && literal(args[1]) === 1) {
    container(facts, out, call, holder, "map-set", args[2], args[0]);
    return;
  }
  if (holder !== null && args.length >= 1) {
    // `adj.fill(c, from, end)`: a stretch of a buffer that holds many
    if (name === "fill" && args.length > 1) {
      container(facts, out, call, holder, "buffer-fill", args[0], args[1]);
      return;
    }
    // `adj.copyWithin(to, from, end)`: a stretch of a buffer over another one
    if (name === "copyWithin" && args.length > 1) {
      container(facts, out, call, holder, "buffer-set", call, args[0]);
      return;
    }
    // `adj.subarray(from, end).set(values)`: a stretch of a buffer that holds many
    const stretch = name === "set" && args.length === 1 ? paidFromOthers(facts, holder, args[0]) : null;
    if (stretch !== null) {
      container(facts, out, call, stretch.of, "buffer-set", args[0], stretch.from);
      return;
    }
    const form =
      name === "fill" ? "buffer-fill" : COPYING.test(name) && args.length <= 2 ? "buffer-set" : null;
    const place = isMember(holder) || holder.type === "Identifier" || handedSlot(facts, holder) !== null;
    if (form !== null && place) {
      const at = name === "set" && args.length === 2 ? args[1] : null;
      buffer(facts, out, call, holder, form, args[0], at);
      return;
    }
  }
  if (!(addingName(name) || facts.names.helper(name)) || call.parent?.type !== "ExpressionStatement") return;
  // `x.accumulate(out.grad)` adds what it is handed; `lib.addInto(x.grad, c)` adds into it
  const into =
    holder !== null && isMember(holder)
      ? holder
      : args.length > (holder === null ? 0 : 1)
        ? bare(args[0])
        : null;
  if (into !== null && (isMember(into) || handedSlot(facts, into) !== null))
    pushTo(facts, out, into, call, "adding-call", call);
}

function recordFields(facts: FileFacts, out: Write[], target: Node, record: Node, node: Node): void {
  for (const property of children(record, "properties")) {
    if (property === null || property.type !== "Property") continue;
    const name = keyName(child(property, "key")!, property.computed === true);
    const value = child(property, "value")!;
    if (name !== null) field(facts, out, node, target, name, "object-assign", value);
    else container(facts, out, node, target, "object-assign", value, child(property, "key"));
  }
}

/** The content of a buffer, from a place on: `x.grad.set(values)` writes the field, `grads[i].fill(v)` an element of it. */
function buffer(
  facts: FileFacts,
  out: Write[],
  node: Node,
  target: Node,
  form: WriteForm,
  value: Node,
  at: Node | null,
): void {
  if (!isMember(target) && !isCall(target)) {
    container(facts, out, node, target, form, value, at);
    return;
  }
  pushTo(facts, out, target, node, form, value);
}

/** `{ ...node, grad: value }` and `{ ...grads, [key]: value }`. */
function fromSpread(facts: FileFacts, out: Write[], record: Node): void {
  const properties = children(record, "properties");
  const spread = properties.find((property) => property?.type === "SpreadElement");
  if (spread === null || spread === undefined) return;
  const source = child(spread, "argument")!;
  const after = properties.slice(properties.indexOf(spread) + 1);
  for (const property of after) {
    if (property === null) continue;
    if (property.type === "SpreadElement") {
      container(facts, out, property, source, "merge", child(property, "argument")!, null);
      continue;
    }
    if (property.type !== "Property") continue;
    const key = child(property, "key")!;
    const name = keyName(key, property.computed === true);
    const value = child(property, "value")!;
    if (name === null) container(facts, out, property, source, "spread", value, key);
    else field(facts, out, property, source, name, "spread", value);
  }
}
