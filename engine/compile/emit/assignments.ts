/**
 * Assignments, compound assignments and `++`/`--`. Every part of a target is evaluated once and in source order: what
 * is needed twice goes through variables of the enclosing function.
 */
import type * as t from "@babel/types";
import { neverTraced } from "../plain.js";
import { unwrap } from "../tree.js";
import type { Emitter, Use } from "./emitter.js";
import { elementBase, namedValue, namePattern, namingText, propertyName } from "./names.js";
import { computedKey } from "./members.js";
import { isNumber } from "./inline.js";
import { keepReference } from "./references.js";
import { arithmetic, bitOperand, bits } from "./operators.js";
import { declaredName, elementText, naming, target, unwrapTarget } from "./targets.js";

export function assignment(e: Emitter, node: t.AssignmentExpression): void {
  const operator = node.operator;
  const left = node.left as t.Node;
  const bare = unwrap(left);
  keepReference(left);
  if (operator === "=") simple(e, node, bare, left);
  else if (operator === "&&=" || operator === "||=" || operator === "??=") logicalAssignment(e, node, bare);
  else compound(e, node, bare, operator.slice(0, -1));
}

function simple(e: Emitter, node: t.AssignmentExpression, bare: t.Node, left: t.Node): void {
  const { right } = node;
  if (bare.type === "Identifier") {
    e.visit(left);
    namedValue(e, right, bare.name, false);
    return;
  }
  if (bare.type !== "MemberExpression") {
    e.visit(left);
    e.visit(right);
    return;
  }
  const name = propertyName(bare);
  if (name !== null) {
    e.visit(left);
    namedValue(e, right, name, true);
    return;
  }
  if (neverTraced(right, e.scope) || bare.object.type === "Super" || left !== bare) {
    e.visit(left);
    e.visit(right);
    return;
  }
  // An element: the array and the index are wanted again, to name the element and to notice typed arrays.
  let object: string;
  if (bare.object.type === "Identifier") {
    object = bare.object.name;
    e.visit(bare.object);
  } else {
    object = e.temp();
    e.edits.open(bare.object.start!, `(${object} = `);
    e.visit(bare.object);
    e.edits.close(bare.object.end!, ")");
  }
  let key: string;
  const { property } = bare;
  if (property.type === "NumericLiteral") {
    key = e.text.slice(property.start!, property.end!);
  } else if (property.type === "Identifier" && neverTraced(property, e.scope)) {
    key = property.name;
  } else {
    key = e.temp();
    e.edits.open(property.start!, `${key} = (`);
    computedKey(e, property);
    e.edits.close(property.end!, ")");
  }
  const slot = e.slot(elementBase(bare.object), e.frame);
  const [before, after] = elementText(e, object, key, node, slot);
  e.edits.open(right.start!, before);
  e.visit(right);
  e.edits.close(right.end!, after);
}

/** `x op= e` for arithmetic and bit operators. */
function compound(e: Emitter, node: t.AssignmentExpression, bare: t.Node, operator: string): void {
  const { right } = node;
  const left = node.left as t.Node;
  const isBit = bits.has(operator);
  const plainRight = neverTraced(right, e.scope);
  if (plainRight && neverTraced(bare, e.scope)) {
    e.visit(left);
    e.visit(right);
    return;
  }
  const sign = e.find(`${operator}=`, left.end!);
  let read: string;
  let around: readonly [string, string];
  if (bare.type === "Identifier") {
    e.visit(left);
    read = bare.name;
    around = isBit ? ["", ""] : namingText(e, bare.name, false);
  } else {
    unwrapTarget(e, left, bare);
    const to = target(e, bare as t.MemberExpression);
    read = to.read;
    around = isBit ? ["", ""] : naming(e, to, node);
  }
  if (isBit) {
    // The result is plain: only the operands need their primals. The old value is read before `e` is evaluated.
    const tail = e.where(left);
    e.edits.replace(sign, sign + operator.length + 1, `= ${e.prefix}.bits(${read}${tail}) ${operator} (`);
    bitOperand(e, right);
    e.edits.close(right.end!, ")");
    return;
  }
  const tail = e.where(node);
  const helper = arithmetic[operator];
  if (e.noTemps) {
    e.edits.replace(sign, sign + operator.length + 1, `= ${around[0]}${e.prefix}.${helper}(${read},`);
    e.visit(right);
    e.edits.close(right.end!, `${tail})${around[1]}`);
    return;
  }
  const newest = e.newest.operand(e, operator, null, right);
  // the old value is read before the right side is evaluated
  const literal = right.type === "NumericLiteral";
  const old = (literal ? declaredName(e, bare) : null) ?? e.temp();
  const added = literal ? e.text.slice(right.start!, right.end!) : e.temp();
  const numbers = isNumber([
    { text: old, literal: false },
    { text: added, literal },
  ]);
  const keep = old === read ? "" : `${old} = ${read}, `;
  const before = literal ? `${keep}${numbers} ? ${old} ${operator}` : `${keep}${added} =`;
  const after = literal ? "" : `, ${numbers} ? ${old} ${operator} ${added}`;
  const call = (): string => e.newest.call(e, helper, node, newest, [old, added], tail);
  e.edits.replace(sign, sign + operator.length + 1, `= ${around[0]}(${before}`);
  e.visit(right);
  e.edits.close(right.end!, `${after} : ${call()})${around[1]}`);
}

/** `x &&= e`, `x ||= e`: the truth of a traced `x` is that of its primal. `??=` needs no help: a number is never null. */
function logicalAssignment(e: Emitter, node: t.AssignmentExpression, bare: t.Node): void {
  const { right, operator } = node;
  const left = node.left as t.Node;
  const name = bare.type === "Identifier" ? bare.name : propertyName(bare as t.MemberExpression);
  const visitRight = (): void => {
    if (name !== null) namedValue(e, right, name, bare.type !== "Identifier");
    else e.visit(right);
  };
  if (operator === "??=" || neverTraced(bare, e.scope)) {
    e.visit(left);
    visitRight();
    return;
  }
  const sign = e.find(operator, left.end!);
  const tail = e.where(left);
  const own = declaredName(e, bare);
  const keep = own ?? e.temp();
  e.edits.open(node.start!, own !== null ? `(${e.prefix}.truth(` : `(${e.prefix}.truth(${keep} = `);
  let read: string;
  if (bare.type === "Identifier") {
    e.visit(left);
    read = bare.name;
  } else {
    unwrapTarget(e, left, bare);
    read = target(e, bare as t.MemberExpression).read;
  }
  const yes = operator === "&&=" ? `${tail}) ? ${read} =` : `${tail}) ? ${keep} : ${read} =`;
  e.edits.replace(sign, sign + 3, yes);
  visitRight();
  e.edits.close(node.end!, operator === "&&=" ? ` : ${keep})` : ")");
}

/** `++x`, `x--`, ... */
export function update(e: Emitter, node: t.UpdateExpression, use: Use): void {
  const { argument, operator, prefix } = node;
  const bare = unwrap(argument);
  keepReference(argument);
  if (neverTraced(bare, e.scope)) {
    e.visit(argument);
    return;
  }
  const step = operator === "++" ? "inc" : "dec";
  const sign = prefix ? node.start! : e.find(operator, argument.end!);
  const p = e.prefix;
  const keepsOld = !prefix && use === "value";
  const old = keepsOld ? e.temp() : "";
  const name = declaredName(e, bare);
  if (keepsOld) {
    const plain = name === null ? "" : `typeof ${name} === "number" ? ${name} : `;
    e.edits.open(node.start!, `(${old} = ${plain}${p}.num(`);
  }
  if (!keepsOld && use !== "void") e.edits.open(node.start!, "(");
  let read: string;
  let around: readonly [string, string];
  if (bare.type === "Identifier") {
    e.visit(argument);
    read = bare.name;
    around = namingText(e, bare.name, false);
  } else {
    unwrapTarget(e, argument, bare);
    const to = target(e, bare as t.MemberExpression);
    read = to.read;
    around = naming(e, to, node);
  }
  const tail = e.where(node);
  let after: string;
  if (keepsOld) {
    const sum = `typeof ${old} === "number" ? ${old} ${operator[0]} 1 : ${p}.${step}(${old}${tail})`;
    after = `${tail}), ${read} = ${around[0]}(${sum})${around[1]}, ${old})`;
  } else {
    const sum = `${p}.${step}(${read}${tail})`;
    const stepped = name !== null ? `(typeof ${read} === "number" ? ${read} ${operator[0]} 1 : ${sum})` : sum;
    after = ` = ${around[0]}${stepped}${around[1]}${use !== "void" ? ")" : ""}`;
  }
  e.edits.replace(sign, sign + 2, prefix ? "" : after);
  if (prefix) e.edits.close(node.end!, after);
}

/** A destructuring assignment as a statement names its targets once they are bound. */
export function patternStatement(e: Emitter, node: t.ExpressionStatement, pattern: t.Node): void {
  const names = namePattern(e, pattern);
  if (names !== "") e.edits.open(node.start!, "{");
  e.visit(node.expression, "void");
  if (names !== "") e.edits.close(node.end!, `;${names}}`);
  else e.endStatement(node);
}
