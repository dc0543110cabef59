/** Statements: loops count their iterations and can be stopped, conditions see primal truth, `catch` lets a stop through. */
import type * as t from "@babel/types";
import { neverTraced } from "../plain.js";
import { eachChild, isFunction, takesName, unwrap } from "../tree.js";
import { patternStatement } from "./assignments.js";
import type { Emitter } from "./emitter.js";
import { namedValue, namePattern, unnamed } from "./names.js";
import { test } from "./operators.js";
import { keepReference } from "./references.js";
import { mark, typeOnly } from "./types.js";

type Loop = t.ForStatement | t.ForInStatement | t.ForOfStatement | t.WhileStatement | t.DoWhileStatement;

export function isLoop(node: t.Node): node is Loop {
  switch (node.type) {
    case "ForStatement":
    case "ForInStatement":
    case "ForOfStatement":
    case "WhileStatement":
    case "DoWhileStatement":
      return true;
    default:
      return false;
  }
}

export function expressionStatement(e: Emitter, node: t.ExpressionStatement): void {
  const inner = unwrap(node.expression);
  if (inner.type === "AssignmentExpression" && inner.operator === "=") {
    const left = unwrap(inner.left as t.Node);
    if (left.type === "ArrayPattern" || left.type === "ObjectPattern") {
      patternStatement(e, node, left);
      return;
    }
  }
  e.visit(node.expression, "void");
  e.endStatement(node);
}

/** Statements that may end without a semicolon. */
export function endedStatement(e: Emitter, node: t.Node): void {
  e.children(node);
  e.endStatement(node);
}

/** What is thrown need not be an error with a stack, so its place is kept beside it. */
export function throwStatement(e: Emitter, node: t.ThrowStatement): void {
  const close = e.wrap(node.argument, "thrown", node);
  e.visit(node.argument);
  close();
  e.endStatement(node);
}

export function variables(e: Emitter, node: t.VariableDeclaration): void {
  if (node.declare) {
    typeOnly(e, node);
    return;
  }
  declarators(e, node);
  const names = node.declarations
    .filter(({ id }) => id.type !== "Identifier")
    .map(({ id }) => namePattern(e, id))
    .join("");
  e.endStatement(node);
  if (names !== "") e.edits.close(node.end!, names);
}

function declarators(e: Emitter, node: t.VariableDeclaration): void {
  for (const { id, init, definite } of node.declarations) {
    if (definite && id.type === "Identifier") mark(e, "!", id.start! + id.name.length);
    e.visit(id);
    if (!init) continue;
    if (id.type === "Identifier") {
      if (takesName(init)) e.nameHints.set(unwrap(init), id.name);
      namedValue(e, init, id.name, false);
    } else {
      e.visit(init);
    }
  }
}

export function conditionStatement(e: Emitter, node: t.IfStatement): void {
  test(e, node.test);
  e.visit(node.consequent);
  if (node.alternate) e.visit(node.alternate);
}

/** A label belongs to its loop, so what is put before the loop goes before the label. */
export function labeled(e: Emitter, node: t.LabeledStatement): void {
  let body: t.Statement = node.body;
  while (body.type === "LabeledStatement") body = body.body;
  if (isLoop(body)) {
    const inner = e.bindings.scopes.get(body);
    const outer = e.scope;
    if (inner) e.scope = inner;
    loop(e, body, node.start!);
    e.scope = outer;
  } else {
    e.visit(body);
  }
}

export function loop(e: Emitter, node: Loop, start = node.start!): void {
  const p = e.prefix;
  const index = e.loops.length;
  e.frame.used = true;
  const site = e.site(node.start!, headEnd(node));
  e.loops.push({ name: loopName(node), site, frame: e.frame.index });
  const cursor = `${p}i${index}`;
  const iteration = `${p}l${index}`;
  const outer = e.scopeVar;
  let atStart = "";
  const short = isShort(node);
  const turns = `${p}n${index}`;
  // of 256 short turns one looks for a stop; while something is recorded every turn has a scope of its own
  const counting = short ? `let ${turns} = 0; const ${turns}m = ${cursor}.recorder === null ? 255 : 0; ` : "";
  // without a call while nothing is recorded and no stop is asked for (`frames.ts` has the same in `loop`)
  const begun =
    `${unnamed(e)} && ${p}w.words[1] === 0 ? (${p}w.words[0] = ${p}m.base + ${site}, ${p}m.turns[${index}]) : ` +
    `${p}.loop(${outer}, ${index})`;
  e.edits.open(start, `{const ${cursor} = ${begun}; ${counting}`);
  switch (node.type) {
    case "ForStatement":
      if (node.init) forInit(e, node.init);
      e.scopeVar = cursor;
      if (node.test) test(e, node.test);
      if (node.update) e.visit(node.update, "void");
      break;
    case "ForInStatement":
    case "ForOfStatement":
      e.visit(node.right);
      e.scopeVar = cursor;
      if (node.left.type === "VariableDeclaration") {
        declarators(e, node.left);
        if (node.type === "ForOfStatement") {
          atStart = namePattern(e, node.left.declarations[0].id);
        }
      } else {
        keepReference(node.left);
        e.visit(node.left);
      }
      break;
    default:
      e.scopeVar = cursor;
      if (node.type === "WhileStatement") test(e, node.test);
      break;
  }
  const { body } = node;
  const turn = short
    ? `(${turns} = ${turns} + 1 & ${turns}m) !== 0 ? ${cursor} : ${p}.iter(${cursor})`
    : `${cursor}.recorder === null && ${p}w.words[1] === 0 ? (${p}w.words[0] = ${cursor}.site, ${cursor}) : ${p}.iter(${cursor})`;
  const enter = `const ${iteration} = ${turn};${atStart} `;
  e.scopeVar = iteration;
  // Names of the loop's own variables are taken outside the body, which may have others of the same name.
  if (body.type === "BlockStatement" && atStart === "") {
    e.edits.close(body.start! + 1, ` ${enter}`);
    e.visit(body);
  } else {
    e.edits.open(body.start!, `{${enter}`);
    e.visit(body);
    e.edits.close(body.end!, "}");
  }
  e.scopeVar = cursor;
  if (node.type === "DoWhileStatement") {
    test(e, node.test);
    e.endStatement(node);
  }
  e.scopeVar = outer;
  e.edits.close(node.end!, "}");
}

/** True if a turn of the loop is over soon: it neither calls nor loops nor copies lists nor gives way to other code. */
function isShort(node: Loop): boolean {
  let short = true;
  const look = (at: t.Node): void => {
    switch (at.type) {
      case "CallExpression":
      case "OptionalCallExpression":
      case "NewExpression":
      case "TaggedTemplateExpression":
      case "SpreadElement":
      case "YieldExpression":
      case "AwaitExpression":
        short = false;
        return;
      default:
        if (isLoop(at)) short = false;
        else if (!isFunction(at)) eachChild(at, look);
    }
  };
  eachChild(node, look);
  return short && !(node.type === "ForOfStatement" && node.await);
}

function forInit(e: Emitter, init: t.Node): void {
  if (init.type === "VariableDeclaration") declarators(e, init);
  else e.visit(init, "void");
}

/** Where the loop's head ends: a loop is shown as its head. */
function headEnd(node: Loop): number {
  switch (node.type) {
    case "DoWhileStatement":
      return node.start! + 2;
    default:
      return node.body.start!;
  }
}

function loopName(node: Loop): string {
  switch (node.type) {
    case "ForStatement": {
      const init = node.init;
      if (init?.type === "VariableDeclaration" && init.declarations[0].id.type === "Identifier") {
        return `for ${init.declarations[0].id.name}`;
      }
      return "for";
    }
    case "ForInStatement":
    case "ForOfStatement": {
      const left = node.left.type === "VariableDeclaration" ? node.left.declarations[0].id : node.left;
      return left.type === "Identifier" ? `for ${left.name}` : "for";
    }
    case "WhileStatement":
      return "while";
    default:
      return "do";
  }
}

/** A traced discriminant is compared by its primal; case values likewise. */
export function switchStatement(e: Emitter, node: t.SwitchStatement): void {
  const outer = e.scope;
  const { discriminant, cases } = node;
  const strings = cases.every(
    (arm) => arm.test === null || arm.test === undefined || arm.test.type === "StringLiteral",
  );
  if (neverTraced(discriminant, e.scope) || (strings && cases.length > 0)) {
    e.visit(discriminant);
  } else {
    const close = e.wrap(discriminant, "discriminant");
    e.visit(discriminant);
    close();
  }
  for (const arm of cases) {
    if (arm.test) {
      if (neverTraced(arm.test, e.scope)) {
        e.visit(arm.test);
      } else {
        const close = e.wrap(arm.test, "arm");
        e.visit(arm.test);
        close();
      }
    }
    for (const statement of arm.consequent) e.visit(statement);
  }
  e.scope = outer;
}

/** The stop that deadline and memory limit throw is no business of the user's handlers. */
export function catchClause(e: Emitter, node: t.CatchClause): void {
  const p = e.prefix;
  const { param, body } = node;
  if (!param) {
    const name = e.fresh("e");
    e.edits.close(node.start! + 5, ` (${name})`);
    e.edits.close(body.start! + 1, ` ${p}.rethrow(${name});`);
  } else if (param.type === "Identifier") {
    e.visit(param);
    e.edits.close(body.start! + 1, ` ${p}.rethrow(${param.name});`);
  } else {
    const name = e.fresh("e");
    e.edits.open(param.start!, `${name}) { ${p}.rethrow(${name}); let `);
    e.visit(param);
    const typed = (param as t.ArrayPattern).typeAnnotation;
    const paren = e.find(")", typed ? typed.end! : param.end!);
    e.edits.replace(paren, paren + 1, ` = ${name};`);
    e.visit(body);
    e.edits.close(body.end!, "}");
    return;
  }
  e.visit(body);
}
