/**
 * Calls announce their site: the last argument is handed through a marker, so the site is set after all arguments were
 * evaluated and just before the call. A call without arguments is preceded by a marker instead, at the start of its
 * member chain, so that neither the receiver nor an optional chain is touched.
 */
import type * as t from "@babel/types";
import { unwrap } from "../tree.js";
import { inside } from "./references.js";
import { typeArguments } from "./types.js";
import type { Emitter, Use } from "./emitter.js";
import { unnamed } from "./names.js";

type Call = t.CallExpression | t.OptionalCallExpression | t.NewExpression;

/** Wraps a handler of chain nodes: at the outermost node of a chain, its call without arguments gets its marker. */
export function chained<N extends t.Node>(handler: (e: Emitter, node: N, use: Use) => void) {
  return (e: Emitter, node: N, use: Use): void => {
    const first = inside.has(node) ? null : enterChain(node);
    if (first === null) {
      handler(e, node, use);
      return;
    }
    e.frame.used = true;
    e.edits.open(node.start!, `(${e.prefix}.at(${e.site(first.start!, first.end!)}, ${e.scopeVar}), `);
    handler(e, node, use);
    e.edits.close(node.end!, ")");
  };
}

const takingLength =
  /^(?:Array|ArrayBuffer|(?:Float(?:32|64)|Int(?:8|16|32)|Uint(?:8|16|32|8Clamped)|Big(?:Ui|I)nt64)Array)$/;

/**
 * True for `new Array(n)` and its kind, which ask whether their one argument is a number: an object they take for an
 * element or a list.
 */
function takesLength(e: Emitter, callee: t.Node): boolean {
  return (
    callee.type === "Identifier" && takingLength.test(callee.name) && e.scope.resolve(callee.name) === null
  );
}

/**
 * True for a method call without arguments on the result of another call, `w.matmul(x).tanh()`: the marker at the chain's
 * start is overwritten by the first call's, so this one gets a marker in its empty list, spread into nothing.
 */
function followsCall(node: Call): boolean {
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return false;
  let at: t.Node = unwrap(node.callee.object);
  while (at.type === "MemberExpression") at = unwrap(at.object);
  return at.type === "CallExpression";
}

/** True for a call whose last argument cannot carry the marker: there is none, or errors would show the wrapped text. */
function unmarked(node: Call): boolean {
  const last = node.arguments[node.arguments.length - 1];
  return last === undefined || last.type === "SpreadElement";
}

/** The first-evaluated call without arguments in a chain, or null; later ones of the same chain share its marker. */
function enterChain(top: t.Node): t.Node | null {
  let first: t.Node | null = null;
  let at: t.Node = top;
  for (;;) {
    inside.add(at);
    switch (at.type) {
      case "MemberExpression":
      case "OptionalMemberExpression":
        at = at.object;
        break;
      case "CallExpression":
      case "OptionalCallExpression":
        if (unmarked(at)) first = at;
        at = at.callee;
        break;
      case "TaggedTemplateExpression":
        if (at.quasi.expressions.length === 0) first = at;
        at = at.tag;
        break;
      case "TSNonNullExpression":
        at = at.expression;
        break;
      case "NewExpression":
        return unmarked(at) ? at : first;
      default:
        return first;
    }
  }
}

/** Function expressions given to a call are called after it: `xs.map(...)` runs `map#1`. */
export function calleeName(node: t.Node): string | null {
  const callee = unwrap(node);
  switch (callee.type) {
    case "Identifier":
      return callee.name;
    case "MemberExpression":
    case "OptionalMemberExpression":
      return callee.property.type === "Identifier" && !callee.computed ? callee.property.name : null;
    default:
      return null;
  }
}

export function call(e: Emitter, node: Call): void {
  const { callee } = node;
  if (callee.type === "Import") {
    dynamicImport(e, node as t.CallExpression);
    return;
  }
  e.frame.used = true;
  e.frame.calls = true;
  e.visit(callee);
  typeArguments(e, node);
  const last = node.arguments[node.arguments.length - 1];
  const name = calleeName(callee);
  for (const argument of node.arguments) {
    if (name !== null) e.nameHints.set(unwrap(argument), name);
    if (argument !== last) e.visit(argument);
  }
  if (last === undefined) {
    if (followsCall(node))
      e.edits.open(node.end! - 1, `...${e.prefix}.h(${e.site(node.start!, node.end!)}, ${e.scopeVar})`);
    return;
  }
  if (last.type === "SpreadElement") {
    e.visit(last);
    return;
  }
  const tail = `, ${e.site(node.start!, node.end!)}, ${e.scopeVar})`;
  if (node.type === "CallExpression" && isOwnFunction(e, callee) && !e.noTemps) {
    const kept = e.temp();
    e.edits.open(last.start!, `(${kept} = `);
    e.visit(last);
    e.edits.close(last.end!, `, ${unnamed(e)} ? ${kept} : ${e.prefix}.c(${kept}${tail})`);
    return;
  }
  e.edits.open(last.start!, `${e.prefix}.c(`);
  const length = last === node.arguments[0] && takesLength(e, callee) ? e.wrap(last, "index") : null;
  e.visit(last);
  length?.();
  e.edits.close(last.end!, tail);
}

/**
 * True for a function that the module declares and nothing is assigned to: it announces its own calls, so the one that leads to
 * it matters only where scopes are kept.
 */
function isOwnFunction(e: Emitter, callee: t.Node): boolean {
  if (callee.type !== "Identifier") return false;
  const binding = e.scope.resolve(callee.name);
  return binding !== null && binding.isFunction && binding.values.length === 0;
}

function dynamicImport(e: Emitter, node: t.CallExpression): void {
  const source = node.arguments[0];
  const text =
    source?.type === "StringLiteral"
      ? source.value
      : source?.type === "TemplateLiteral" && source.expressions.length === 0
        ? source.quasis[0].value.cooked
        : undefined;
  if (text === undefined || text === null) {
    e.fail(
      "refused",
      "`import()` of a computed path is refused: write the path as a string",
      node.start!,
      node.end!,
    );
  }
  e.addImport(text, source, true, []);
  for (const argument of node.arguments.slice(1)) e.visit(argument);
}

export function tagged(e: Emitter, node: t.TaggedTemplateExpression): void {
  e.frame.calls = true;
  e.frame.used = true;
  e.visit(node.tag);
  typeArguments(e, node);
  const { expressions } = node.quasi;
  const last = expressions[expressions.length - 1];
  for (const expression of expressions) if (expression !== last) e.visit(expression);
  if (last === undefined) return;
  const close = e.wrap(last, "c", node);
  e.visit(last);
  close();
}
