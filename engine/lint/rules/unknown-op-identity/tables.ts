/** Tables of rules by the name of an operation: how one is looked up, and what shows that its entries are rules. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { methodsNamed } from "../../local.js";
import { partOf } from "../../lookups.js";
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
  literal,
  propertyName,
  receiver,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { contributionsOf } from "../shared/contributions.js";
import { inside, partsOf } from "../shared/nodes.js";
import { cotangentName } from "./hands-on.js";

export interface Lookup {
  readonly table: Node;
  /** `bwd` of `table[op].bwd`, null where the entry itself is the rule */
  readonly part: string | null;
}

/** `rules[op]`, `rules.get(op)`, `rules[op]?.bwd`, and a name that was given such a value. */
export function lookupOf(facts: FileFacts, node: Node, through = true): Lookup | null {
  const inner = bare(node);
  if (isMember(inner)) {
    const name = propertyName(inner);
    const object = child(inner, "object")!;
    if (name === null) {
      // `list[0]`, `list[i + 1]`: places in a list are no names
      const index = bare(child(inner, "property")!);
      return typeof literal(index) === "number" || /^(?:Binary|Update|Unary)/.test(index.type)
        ? null
        : { table: object, part: null };
    }
    const entry = bare(object);
    const computed = isMember(entry) && propertyName(entry) === null;
    const got = isCall(entry) && /^(?:get|find)$/.test(calleeName(entry) ?? "");
    const found = computed || got ? lookupOf(facts, entry, false) : null;
    return found === null ? null : { table: found.table, part: name };
  }
  if (isCall(inner) && calleeName(inner) === "get" && argumentsOf(inner).length === 1) {
    const table = receiver(inner);
    return table === null ? null : { table, part: null };
  }
  // `rules.find((rule) => rule.op === op)`
  const [asked] = isCall(inner) && calleeName(inner) === "find" ? argumentsOf(inner) : [];
  const sought = asked === undefined ? null : facts.functionOf(bare(asked));
  if (sought !== null && sought.returns.some((one) => /^===?$/.test(String(bare(one).operator)))) {
    const table = receiver(inner);
    return table === null ? null : { table, part: null };
  }
  const binding = through ? facts.binding(inner) : null;
  const made = binding === null ? null : firstOf(binding);
  return made === null ? null : lookupOf(facts, made, false);
}

/** What a name starts with, where that is one whole value. */
function firstOf(binding: Binding): Node | null {
  const [made, ...more] = binding.definitions.filter(({ kind }) => kind === "initial");
  return made === undefined || more.length > 0 || made.path.length > 0 ? null : made.expression;
}

const NAMED = /rule|vjp|grad|back(?!end|ground|up|log|off|ing)|deriv|pull|adjoint|bwd/i;

/** Functions that others may set, which are the identity where nobody did. */
const OPTIONAL = /hook|clip|filter|transform|listener|callback|middleware|norm|scale/i;

/** Its entries are rules: by its name, by that of their part, or because one of them works a cotangent on. */
export function holdsRules(facts: FileFacts, { table, part }: Lookup): boolean {
  const inner = bare(table);
  const name = (isMember(inner) ? propertyName(inner) : identifier(inner)) ?? "";
  if (OPTIONAL.test(name)) return false;
  if (NAMED.test(name) || (part !== null && facts.names.backward(part))) return true;
  return entriesOf(facts, table).some(({ value }) => isRule(facts, value));
}

/** Nothing in this file says what it holds: it is filled by others, or handed in. */
export function isOpen(facts: FileFacts, { table }: Lookup): boolean {
  const inner = bare(table);
  const name = (isMember(inner) ? propertyName(inner) : identifier(inner)) ?? "";
  return !OPTIONAL.test(name) && entriesOf(facts, table).length === 0;
}

export interface Entry {
  readonly name: string | null;
  readonly value: Node;
}

/** What a table is written with: the properties of a record, the pairs of a map or a list, the methods of a class. */
export function entriesOf(facts: FileFacts, table: Node): readonly Entry[] {
  const made = madeOf(facts, table);
  if (made === null) return [];
  if (made.type === "ThisExpression") {
    let fn = facts.home(made);
    while (fn !== null && fn.owner === null) fn = facts.outer(fn);
    return facts.functions
      .filter((one) => fn !== null && one.owner === fn.owner && one.kind === "method")
      .map((one) => ({ name: one.name, value: one.node }));
  }
  if (made.type === "ObjectExpression")
    return children(made, "properties").flatMap((property) =>
      property?.type === "Property"
        ? [
            {
              name: keyName(child(property, "key")!, property.computed === true),
              value: child(property, "value")!,
            },
          ]
        : [],
    );
  const [pairs] =
    made.type === "ArrayExpression"
      ? [made]
      : made.type === "NewExpression" && calleeName(made) === "Map"
        ? argumentsOf(made)
        : [];
  if (pairs === undefined || bare(pairs).type !== "ArrayExpression") return [];
  return children(bare(pairs), "elements").flatMap((pair) => {
    if (pair !== null && bare(pair).type === "ObjectExpression") return [{ name: null, value: pair }];
    const [key, value] = pair === null ? [] : children(bare(pair), "elements");
    if (key == null || value == null) return [];
    const name = literal(key);
    return [{ name: typeof name === "string" ? name : null, value }];
  });
}

/** The literal that a table starts as: of a name, of a static field, of a field that is stored once. */
function madeOf(facts: FileFacts, table: Node): Node | null {
  const inner = bare(table);
  if (/^(?:Object|New|Array|This)Expression$/.test(inner.type)) return inner;
  const binding = facts.binding(inner);
  if (binding !== null) {
    const made = firstOf(binding);
    return made === null ? null : bare(frozen(made));
  }
  const name = isMember(inner) ? propertyName(inner) : null;
  if (name === null) return null;
  const field = facts.fields.find((one) => keyName(child(one, "key")!, one.computed === true) === name);
  const kept = field === undefined ? null : child(field, "value");
  if (kept !== null) return bare(frozen(kept));
  const key = valuesOf(facts).key(inner);
  const stored = facts.assignments.filter((one) => {
    const left = bare(child(one, "left")!);
    return isMember(left) && propertyName(left) === name && valuesOf(facts).key(left) === key;
  });
  return stored.length === 1 ? bare(frozen(child(stored[0], "right")!)) : null;
}

/** `Object.freeze({ ... })`, `Object.assign(Object.create(null), { ... })`: the record. */
function frozen(node: Node): Node {
  const inner = bare(node);
  if (!isCall(inner) || !/^(?:freeze|assign|seal)$/.test(calleeName(inner) ?? "")) return inner;
  return argumentsOf(inner).at(-1) ?? inner;
}

/** The function an entry is, or names. */
export function functionAt(facts: FileFacts, value: Node): Fn | null {
  const inner = bare(value);
  if (isFunction(inner)) return facts.functionOf(inner);
  if (isMember(inner) && bare(child(inner, "object")!).type === "ThisExpression") {
    const methods = methodsNamed(facts, propertyName(inner) ?? "");
    return methods.length === 1 ? methods[0] : null;
  }
  const binding = facts.binding(inner);
  if (binding === null) return null;
  if (isFunction(binding.declaration)) return facts.functionOf(binding.declaration);
  const made = firstOf(binding);
  return made !== null && isFunction(bare(made)) ? facts.functionOf(bare(made)) : null;
}

/** The class an entry is, or is made of. */
export function classAt(facts: FileFacts, value: Node): Node | null {
  let inner = bare(value);
  const named = facts.binding(inner);
  if (named !== null && named.kind !== "class") inner = bare(firstOf(named) ?? inner);
  if (inner.type === "NewExpression") inner = bare(child(inner, "callee")!);
  if (/^Class/.test(inner.type)) return inner;
  const binding = facts.binding(inner);
  if (binding === null) return null;
  if (/^Class/.test(binding.declaration.type)) return binding.declaration;
  return facts.classes.find((one) => identifier(child(one, "id")) === binding.name) ?? null;
}

/** A function, or an object with one, that makes a product of a cotangent or pays an operand. */
export function isRule(facts: FileFacts, value: Node): boolean {
  const fn = functionAt(facts, value);
  if (fn !== null) return worksOn(facts, fn);
  const owner = classAt(facts, value);
  if (owner !== null)
    return facts.functions.some(
      (one) => one.owner === owner && facts.names.backward(one.name) && one.params.length > 0,
    );
  const inner = bare(value);
  if (inner.type !== "ObjectExpression") return false;
  return children(inner, "properties").some((property) => {
    if (property?.type !== "Property") return false;
    const name = keyName(child(property, "key")!, property.computed === true) ?? "";
    return facts.names.backward(name) || facts.names.derivative(name);
  });
}

function worksOn(facts: FileFacts, fn: Fn): boolean {
  if (contributionsOf(facts).some(({ write, weighed }) => weighed!.carried && inside(write.node, fn.node)))
    return true;
  return fn.returns.some((value) =>
    partOf(facts.byType.get("BinaryExpression") ?? [], value).some(
      (product) =>
        /^[*/]$/.test(String(product.operator)) &&
        partsOf(product).some(
          (part) => (part.type === "Identifier" || isMember(part)) && isCotangent(facts, part, fn),
        ),
    ),
  );
}

/** A parameter of the rule that is named for a cotangent, or the slot of a node that it is handed. */
function isCotangent(facts: FileFacts, node: Node, fn: Fn): boolean {
  if (isMember(node)) return facts.names.gradient(propertyName(node) ?? "") === 2;
  const binding = facts.binding(node);
  return (
    binding?.kind === "param" &&
    facts.scopes.declaredIn(binding, fn.node) &&
    (cotangentName(facts, node) || /^(?:up|seed|dy|dout|v)$/i.test(binding.name))
  );
}
