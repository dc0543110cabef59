/**
 * The other way to load a module: nothing is traced, operations stay as they are written, and every write announces
 * itself with its place. What is assigned goes through the runtime (`a.grad += c` becomes
 * `a.grad += $b.wrote(c, $bm, SITE, "+=", a, "grad", ...)`), so private fields, closures, maps and typed arrays are seen
 * alike, which no accessor or proxy could do. Functions and loops still note where they are, for deadlines.
 */
import type * as t from "@babel/types";
import { takesName, unwrap } from "../tree.js";
import { call as tracedCall } from "./calls.js";
import type { Emitter, Handler } from "./emitter.js";
import { handlers } from "./handlers.js";
import { member } from "./members.js";
import { propertyName } from "./names.js";
import { assignedTo } from "./observed-patterns.js";
import { before, kept, repeatable } from "./observed-text.js";
import { keepReference } from "./references.js";
import { nonNull, typeArguments } from "./types.js";

/** Wraps a value so that it is told; `target`: texts of object, key and old value behind the operator. */
function tell(e: Emitter, value: t.Node, place: t.Node, operator: string, target: string): void {
  e.frame.used = true;
  const p = e.prefix;
  const comma = value.type === "SequenceExpression";
  e.edits.open(value.start!, `${p}.wrote(${comma ? "(" : ""}`);
  e.visit(value);
  const site = e.site(place.start!, place.end!);
  e.edits.close(value.end!, `${comma ? ")" : ""}, ${p}m, ${site}, "${operator}"${target})`);
}

function assignment(e: Emitter, node: t.AssignmentExpression): void {
  const { right } = node;
  const left = node.left as t.Node;
  const bare = unwrap(left);
  if (bare.type === "ArrayPattern" || bare.type === "ObjectPattern") {
    assignedTo(e, bare);
    e.visit(right);
    return;
  }
  keepReference(left);
  // a function takes its name from the variable; nothing that is a contribution is one
  if (takesName(right) || (bare.type !== "MemberExpression" && bare.type !== "Identifier")) {
    e.visit(left);
    e.visit(right);
    return;
  }
  let target: string;
  if (bare.type === "Identifier") {
    e.visit(left);
    target = `, null, ${JSON.stringify(bare.name)}, ${before(e, bare.name)}`;
  } else {
    target = memberTarget(e, bare, left);
  }
  const operator =
    node.operator.length === 3 && /^(&&|\|\||\?\?)=$/.test(node.operator) ? "=" : node.operator;
  tell(e, right, node, operator, target);
}

/** Visits a member that is written to. */
function memberTarget(e: Emitter, bare: t.MemberExpression, left: t.Node): string {
  if (left !== bare) {
    const text = repeatable(bare);
    e.visit(left);
    const object = repeatable(bare.object);
    if (text === null || object === null) return "";
    const key = bare.computed ? repeatable(bare.property) : JSON.stringify(propertyName(bare));
    return `, ${object}, ${key}, ${before(e, text)}`;
  }
  const object = kept(e, bare.object);
  if (!bare.computed) {
    const name = propertyName(bare)!;
    if (object === null) return `, null, ${JSON.stringify(name)}`;
    const written = bare.property.type === "PrivateName" ? `#${name}` : name;
    return `, ${object}, ${JSON.stringify(name)}, ${before(e, `${object}.${written}`)}`;
  }
  const key = kept(e, bare.property);
  if (object === null || key === null) return "";
  return `, ${object}, ${key}, ${before(e, `${object}[${key}]`)}`;
}

const draws = new Set(["Math.random", "Date.now", "performance.now"]);

type Call = t.CallExpression | t.OptionalCallExpression | t.NewExpression;

function call(e: Emitter, node: Call): void {
  const { callee } = node;
  if (callee.type === "Import") {
    tracedCall(e, node);
    return;
  }
  // a function that calls notes that it was entered: endless recursion is found by the deadline
  e.frame.used = true;
  const name = callee.type === "MemberExpression" ? repeatable(callee) : null;
  if (name !== null && draws.has(name) && e.scope.resolve(name.split(".")[0]) === null) {
    e.edits.open(node.start!, `${e.prefix}.drew(`);
    e.children(node);
    e.edits.close(node.end!, `, ${e.prefix}m, ${e.site(node.start!, node.end!)})`);
    return;
  }
  if (
    name !== null &&
    node.type === "CallExpression" &&
    standard.has(name) &&
    e.scope.resolve(name.split(".")[0]) === null
  ) {
    through(e, node, standard.get(name)!);
    return;
  }
  if (node.type === "CallExpression" && callee.type === "MemberExpression") {
    if (storing(node)) {
      stored(e, node, callee);
      return;
    }
    if (changing(callee)) {
      changed(e, node, callee);
      return;
    }
  }
  if (node.type === "NewExpression" && callee.type === "Identifier" && copies(e, node, callee.name)) return;
  e.visit(callee);
  typeArguments(e, node);
  for (const argument of node.arguments) e.visit(argument);
}

/** `m.set(k, v)`, `list.with(i, v)`. */
function storing(node: t.CallExpression): boolean {
  const { callee } = node;
  const name = callee.type === "MemberExpression" ? propertyName(callee) : null;
  const count = node.arguments.length;
  if (node.arguments.some(({ type }) => type === "SpreadElement")) return false;
  const elements = node.arguments[0]?.type === "ArrayExpression";
  return (name === "set" && count === 2 && !elements) || (name === "with" && count === 2);
}

function stored(e: Emitter, node: t.CallExpression, callee: t.MemberExpression): void {
  const operator = propertyName(callee)!;
  const object = kept(e, callee.object);
  typeArguments(e, node);
  const [first, second] = node.arguments;
  const key = kept(e, first);
  if (object === null || key === null) {
    e.visit(second);
    return;
  }
  const old = operator === "with" ? `, ${before(e, `${object}[${key}]`)}` : "";
  tell(e, second, node, operator, `, ${object}, ${key}${old}`);
}

/** Functions that write to their first argument, and what is called instead. */
const standard = new Map([
  ["Object.assign", "assigned"],
  ["Object.defineProperty", "defined"],
  ["Reflect.set", "reflected"],
]);

function through(e: Emitter, node: t.CallExpression, instead: string): void {
  const { callee } = node;
  const [first] = node.arguments;
  if (first !== undefined) {
    e.edits.replace(callee.start!, callee.end!, `${e.prefix}.${instead}`);
    e.edits.open(first.start!, `${e.prefix}m, ${e.site(node.start!, node.end!)}, `);
  }
  typeArguments(e, node);
  for (const argument of node.arguments) e.visit(argument);
}

/** Methods of arrays and typed arrays that change elements; `set` with one argument is a typed array's. */
const changes = new Set(["push", "unshift", "splice", "fill", "copyWithin", "set"]);

function changing({ object, computed, property }: t.MemberExpression): boolean {
  return object.type !== "Super" && !computed && property.type === "Identifier" && changes.has(property.name);
}

/** `list.push(c)` becomes `$b.invoked($bm, SITE, list, "push", c)`. */
function changed(e: Emitter, node: t.CallExpression, { object, property }: t.MemberExpression): void {
  const types = (node.typeParameters ?? node.typeArguments)?.end ?? node.callee.end!;
  const open = e.text.indexOf("(", types) + 1;
  const dot = e.text.lastIndexOf(".", property.start!);
  // parentheses of the object stay where they are; with a comment in between the call is left alone
  const plain =
    /^[\s)]*$/.test(e.text.slice(object.end!, dot)) &&
    e.text.slice(dot + 1, property.start!).trim() === "" &&
    e.text.slice(types, open - 1).trim() === "";
  if (plain) {
    const name = (property as t.Identifier).name;
    e.frame.used = true;
    e.edits.open(node.callee.start!, `${e.prefix}.invoked(${e.prefix}m, ${e.site(node.start!, node.end!)}, `);
    e.visit(object);
    e.edits.replace(dot, open, `, "${name}"${node.arguments.length > 0 ? ", " : ""}`);
  } else {
    e.visit(node.callee);
    typeArguments(e, node);
  }
  for (const argument of node.arguments) e.visit(argument);
}

/** `new Map([...sums, [k, v]])` writes to a copy, as a record spread does. */
function copies(e: Emitter, node: t.NewExpression, name: string): boolean {
  const [list] = node.arguments;
  if (name !== "Map" || list?.type !== "ArrayExpression" || e.scope.resolve(name) !== null) return false;
  typeArguments(e, node);
  let base: string | null = null;
  for (const element of list.elements) {
    if (element?.type === "SpreadElement") base = repeatable(element.argument);
    const [key, value] = element?.type === "ArrayExpression" ? element.elements : [];
    const text = key && key.type !== "SpreadElement" ? repeatable(key) : null;
    if (
      base === null ||
      text === null ||
      !key ||
      !value ||
      value.type === "SpreadElement" ||
      takesName(value)
    ) {
      if (element !== null) e.visit(element);
      continue;
    }
    e.visit(key);
    tell(e, value, element!, "spread", `, ${base}, ${text}, ${before(e, `${base}.get?.(${text})`)}`);
  }
  return true;
}

/** `{ ...sums, [k]: v }` writes to a copy; what stood there is in the spread object. */
function record(e: Emitter, node: t.ObjectExpression): void {
  let base: string | null = null;
  for (const property of node.properties) {
    if (property.type === "SpreadElement") {
      base = repeatable(property.argument);
    } else if (property.type === "ObjectProperty" && property.computed && base !== null) {
      const key = repeatable(property.key);
      if (key !== null && !takesName(property.value)) {
        e.visit(property.key);
        tell(e, property.value, property, "spread", `, ${base}, ${key}, ${before(e, `${base}[${key}]`)}`);
        continue;
      }
    }
    e.visit(property);
  }
}

function tagged(e: Emitter, node: t.TaggedTemplateExpression): void {
  e.frame.used = true;
  e.visit(node.tag);
  typeArguments(e, node);
  for (const expression of node.quasi.expressions) e.visit(expression);
}

/** Nothing is named here, so a statement is what it holds. */
function statement(e: Emitter, node: t.ExpressionStatement): void {
  e.visit(node.expression);
  e.endStatement(node);
}

const overrides: Readonly<Record<string, unknown>> = {
  AssignmentExpression: assignment,
  CallExpression: call,
  ExpressionStatement: statement,
  MemberExpression: member,
  NewExpression: call,
  ObjectExpression: record,
  OptionalCallExpression: call,
  OptionalMemberExpression: member,
  TaggedTemplateExpression: tagged,
  TSNonNullExpression: nonNull,
};

export const observedHandlers: ReadonlyMap<string, Handler> = new Map([
  ...handlers,
  ...(Object.entries(overrides) as [string, Handler][]),
]);
