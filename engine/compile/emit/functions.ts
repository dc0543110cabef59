/**
 * Functions: their types go, and where they compute, call or loop they get a scope object of their own, made on entry.
 * A function that calls restores the caller's call site when it is left; generators and async functions are left more
 * than once, so there the next call announces itself anyway.
 */
import type * as t from "@babel/types";
import type { Emitter, Frame } from "./emitter.js";
import { mark, modifiers, returnType, typeParameters } from "./types.js";

type FunctionNode = Extract<t.Node, { params: unknown; body: unknown }> & t.Function;

export function functionNode(e: Emitter, node: FunctionNode, name: string, atBodyStart = ""): void {
  typeParameters(e, node);
  e.visitApart(() => parameters(e, node));
  returnType(e, node);
  const { body } = node;
  const outer = e.frame;
  const outerScope = e.scopeVar;
  const frame = e.newFrame(name, node);
  e.frame = frame;
  e.scopeVar = frame.variable;
  const apart = e.noTemps;
  e.noTemps = false;
  e.visit(body);
  e.noTemps = apart;
  e.frame = outer;
  e.scopeVar = outerScope;
  if (!frame.used && atBodyStart === "") return;
  const resumable = node.async === true || node.generator === true;
  const leaves = frame.calls && !resumable && !clashes(body);
  const p = e.prefix;
  const temps = frame.temps.length > 0 ? `let ${frame.temps.join(", ")}; ` : "";
  const enter = frame.used ? `const ${frame.variable} = ${entry(e, frame)}; ${temps}` : "";
  const before = `${enter}${leaves ? "try { " : ""}${atBodyStart}`;
  const after = leaves
    ? ` } finally { if (${frame.variable}.recorder !== null) ${p}.leave(${frame.variable}); }`
    : "";
  if (body.type === "BlockStatement") {
    const directives = body.directives;
    const last = directives[directives.length - 1];
    const at = last ? last.end! : body.start! + 1;
    const separator = last && e.text[last.end! - 1] !== ";" ? "; " : " ";
    e.edits.closeFirst(at, separator + before);
    e.edits.openFirst(body.end! - 1, `${after} `);
  } else {
    e.edits.openFirst(body.start!, `{ ${before}return `);
    e.edits.close(body.end!, `;${after} }`);
  }
}

/**
 * The scope of a function that begins: without a call while nothing is recorded and no stop is asked for (`frames.ts` has
 * the same in `enter`). A function may be called before its module has begun, then its idle scope is not there yet. In a
 * module that is loaded to be observed, whoever listens is told.
 */
function entry({ prefix: p, scope }: Emitter, frame: Frame): string {
  const unheard = scope.untraced ? ` && ${p}.o.sink === null` : "";
  const idle = `${p}s${frame.index}`;
  return (
    `${idle} !== undefined && ${p}r.named === null && ${p}w.words[1] === 0${unheard} ? ` +
    `(${p}w.words[0] = ${idle}.site, ${idle}) : ${p}.enter(${p}m || ${p}g(), ${frame.index})`
  );
}

function parameters(e: Emitter, node: FunctionNode): void {
  for (const parameter of node.params) {
    if (parameter.type === "Identifier" && parameter.name === "this") {
      const next = e.skip(parameter.end!);
      e.edits.blank(parameter.start!, e.text[next] === "," ? next + 1 : parameter.end!);
    } else if (parameter.type === "TSParameterProperty") {
      const inner = parameter.parameter;
      modifiers(e, parameter.start!, inner.start!);
      e.visit(inner);
    } else {
      e.visit(parameter);
    }
  }
}

/**
 * True if the body cannot stand in a `try` block: there, a function declaration is block-scoped and may not share its
 * name with a `var` or another function.
 */
function clashes(body: t.Node): boolean {
  if (body.type !== "BlockStatement") return false;
  const functions = new Set<string>();
  for (const statement of body.body) {
    if (statement.type !== "FunctionDeclaration" || !statement.id) continue;
    if (functions.has(statement.id.name)) return true;
    functions.add(statement.id.name);
  }
  return functions.size > 0 && declaresVar(body, functions);
}

function declaresVar(node: t.Node, names: ReadonlySet<string>): boolean {
  if (node.type === "VariableDeclaration" && node.kind === "var") {
    return node.declarations.some(({ id }) => id.type !== "Identifier" || names.has(id.name));
  }
  if (
    node.type === "FunctionDeclaration" ||
    node.type === "FunctionExpression" ||
    node.type === "ArrowFunctionExpression"
  ) {
    return false;
  }
  for (const key of [
    "body",
    "consequent",
    "alternate",
    "block",
    "handler",
    "finalizer",
    "cases",
    "init",
    "left",
  ]) {
    const value = (node as unknown as Record<string, unknown>)[key];
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child && typeof child === "object" && "type" in child && declaresVar(child as t.Node, names))
        return true;
    }
  }
  return false;
}

export function functionDeclaration(e: Emitter, node: t.FunctionDeclaration): void {
  functionNode(e, node, node.id?.name ?? "default");
}

export function functionExpression(e: Emitter, node: t.FunctionExpression | t.ArrowFunctionExpression): void {
  const own = node.type === "FunctionExpression" ? node.id?.name : undefined;
  functionNode(e, node, own ?? e.nameHints.get(node) ?? "anonymous");
}

/** The name of a property or method, as it is called in names of nodes. */
export function keyName(key: t.Node): string {
  switch (key.type) {
    case "Identifier":
      return key.name;
    case "StringLiteral":
      return key.value;
    case "NumericLiteral":
      return String(key.value);
    case "PrivateName":
      return `#${key.id.name}`;
    default:
      return "anonymous";
  }
}

/** The `?` of an optional method or property, behind its key. */
export function optionalMark(e: Emitter, node: t.Node, key: t.Node, computed: boolean): void {
  if ((node as { optional?: boolean | null }).optional !== true) return;
  mark(e, "?", computed ? e.find("]", key.end!) + 1 : key.end!);
}

export type { FunctionNode };
