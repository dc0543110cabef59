/** Stores that could be a local derivative without its cotangent, and what a value is made of, through local names. */
import type { FileFacts } from "../../facts.js";
import { isBlank } from "../../overwriting/slots.js";
import { lineOf, place, slotText } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { operationName } from "../../operations.js";
import { multiplies } from "../../overwriting/parts.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  isCall,
  isFunction,
  isMember,
  literal,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf, type Write } from "../../writes.js";
import { contributionsOf, type Contribution } from "../shared/contributions.js";
import { partsOf } from "../shared/nodes.js";

/** Where a sweep starts the output's cotangent is one, and losses leave it out. */
export const LOSS =
  /loss|cost|mse|mae|entropy|nll|likelihood|error|objective|criterion|penalt|regular|decay|numeric|finite/i;

/** Contributions that say what they are made of: the rest of the engine is measured against them. */
export const withUpstream = (facts: FileFacts): readonly Contribution[] =>
  facts.once("with upstream", (file) =>
    contributionsOf(file).filter(
      ({ weighed }) => weighed!.reverse && weighed!.upstream !== null && !weighed!.own,
    ),
  );

/** `slot = slot.add(c)`: the old value is named for a gradient too. */
export const withoutOld = ({ value, form }: Write): Node => {
  const inner = bare(value);
  if (form === "assign" && isCall(inner) && receiver(inner) !== null && argumentsOf(inner).length === 1)
    return argumentsOf(inner)[0];
  if (form === "assign" && inner.type === "BinaryExpression" && inner.operator === "+")
    return child(inner, "right")!;
  return value;
};

export const seeded = (facts: FileFacts, { container, node }: Write): number =>
  writesOf(facts).filter(
    (other) => other.node !== node && other.container === container && literal(other.value) === 1,
  ).length;

/** A store of something computed into an operand's slot. */
export function candidate(facts: FileFacts, write: Write): boolean {
  if (write.form !== "add" && write.form !== "assign" && write.form !== "map-set") return false;
  if (facts.names.gradient(write.name) === 0) return false;
  // `buffer.set(values, offset)`
  if (write.form === "map-set" && (write.index === null || isCall(bare(write.index)))) return false;
  if (isBlank(facts, write.value)) return write.form === "add" && literal(write.value) !== 0;
  return computed(facts, write.value) && !mayReadAnything(facts, write.value);
}

/** Something worked out here: what is only handed on was worked out elsewhere. */
function computed(facts: FileFacts, value: Node): boolean {
  const inner = bare(value);
  const binding = facts.binding(inner);
  if (binding !== null)
    return (
      binding.kind === "variable" &&
      binding.definitions.length === 1 &&
      binding.definitions[0].path.length === 0 &&
      bare(binding.definitions[0].expression).type !== "Identifier" &&
      computed(facts, binding.definitions[0].expression)
    );
  if (isMember(inner)) {
    // `out.value`, `out.data[i]`: a primal of the forward pass
    const holder = propertyName(inner) === null ? bare(child(inner, "object")!) : inner;
    const name = isMember(holder) ? propertyName(holder) : null;
    if (name !== null) return /^_?(?:v|val|value|data|y|primal|x)$/.test(name);
    // `v[out]` of an array of primals that other contributions scale the cotangent by
    return propertyName(inner) === null && scaledBy(facts).has(valuesOf(facts).key(child(inner, "object")!));
  }
  return /^(?:BinaryExpression|UnaryExpression|CallExpression|ConditionalExpression)$/.test(inner.type);
}

/** Keys of the arrays whose elements are factors of contributions. */
const scaledBy = (facts: FileFacts): ReadonlySet<string> =>
  facts.once("scaled by", (file) => {
    const keys = new Set<string>();
    for (const { write } of withUpstream(file))
      for (const read of valuesOf(file).reads(write.value))
        if (read.kind === "element" && read.container !== write.container && !/\[/.test(read.container))
          if (multiplies(file, write.value)) keys.add(read.container);
    return keys;
  });

/** Functions of one tensor that read nothing else: `a.value.cos()`. */
const ELEMENTWISE =
  /^(?:a?(?:sin|cos|tan)h?|exp|expm1|log|log1p|sqrt|cbrt|neg|negate|abs|square|reciprocal|inv|inverse|sign|sigmoid|relu|T|transpose)$/;

/** A call without arguments, of a function that is not seen, may read the output's slot. */
function mayReadAnything(facts: FileFacts, value: Node): boolean {
  return partsThrough(facts, value).some((node) => {
    if (!isCall(node)) return false;
    const object = receiver(node);
    if (object !== null && bare(object).type === "Identifier" && bare(object).name === "Math") return false;
    if (object !== null && isMember(bare(object)) && ELEMENTWISE.test(calleeName(node) ?? "")) return false;
    return argumentsOf(node).length === 0 || argumentsOf(node).some(isFunction);
  });
}

/** Every node of a value, and of what its local names hold. */
function partsThrough(facts: FileFacts, value: Node): readonly Node[] {
  const known = facts.once("parts of values", () => new Map<Node, readonly Node[]>());
  let parts = known.get(value);
  if (parts === undefined) known.set(value, (parts = collectParts(facts, value)));
  return parts;
}

function collectParts(facts: FileFacts, value: Node): readonly Node[] {
  const out: Node[] = [];
  const queue = [value];
  const seen = new Set<unknown>();
  while (queue.length > 0 && out.length < 2000)
    for (const node of partsOf(queue.pop()!)) {
      out.push(node);
      const named = node.parent != null && isMember(node.parent) && child(node.parent, "property") === node;
      const name = node.type === "Identifier" && (!named || node.parent?.computed === true);
      const binding = name ? facts.scopes.resolve(node) : null;
      if (binding === null || seen.has(binding) || binding.kind !== "variable") continue;
      seen.add(binding);
      for (const { expression, kind, path } of binding.definitions) {
        // the node that a loop is at comes out of a list, whatever made that
        const current = path.length === 1 && path[0] === "[*]";
        if (kind !== "element" && !current && !isFunction(bare(expression))) queue.push(expression);
      }
    }
  return out;
}

/** A name or a field that says gradient, here or in what local names hold. */
export function readsNamed(facts: FileFacts, value: Node): boolean {
  return partsThrough(facts, value).some((node) => {
    if (isMember(node)) {
      const name = propertyName(node);
      return name !== null && facts.names.gradient(name) === 2;
    }
    if (
      node.type !== "Identifier" ||
      (node.parent != null && isMember(node.parent) && child(node.parent, "property") === node)
    )
      return false;
    const strength = facts.names.gradient(String(node.name));
    // `d`, `dx`: what they hold is looked at instead
    return (
      strength === 2 ||
      (strength === 1 && facts.scopes.resolve(node)?.kind !== "variable") ||
      /^d(?:out|y)$|^up/.test(String(node.name))
    );
  });
}

export function report(facts: FileFacts, write: Write, siblings: readonly Contribution[]): Finding {
  const name = operationName(facts, write.node);
  const others = siblings.slice(0, 3);
  const beside =
    others.length === 0 ? "" : ` Others multiply by it (line ${lineOf(facts, others[0].write.node)}).`;
  return {
    start: startOf(write.node),
    end: endOf(write.node),
    message: `\`${name}\` stores a local derivative in ${slotText(facts, write)} without the cotangent of its output as a factor: right only where that is 1.${beside}`,
    evidence: others.length > 0 ? "proven-siblings" : "structural",
    related: others.map((other) => place(other.write.node, "multiplies by the cotangent")),
  };
}
