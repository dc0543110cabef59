/** `enum` and value `namespace`: the two TypeScript declarations that run. Both become a function over an object. */
import type * as t from "@babel/types";
import { patternNames } from "../tree.js";
import type { Emitter } from "./emitter.js";
import { typeOnly } from "./types.js";

const reserved = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false " +
    "finally for function if implements import in instanceof interface let new null package private protected public " +
    "return static super switch this throw true try typeof var void while with yield"
  ).split(" "),
);

/** names already declared by a class, function, enum or namespace of the same block, which then must not be again */
function alreadyDeclared(e: Emitter, name: string): boolean {
  const seen = e.lowered.get(e.scope) ?? new Set<string>();
  e.lowered.set(e.scope, seen);
  const declared = seen.has(name) || e.scope.solid.has(name);
  seen.add(name);
  return declared;
}

export function enumDeclaration(e: Emitter, node: t.TSEnumDeclaration): void {
  if (node.declare) {
    typeOnly(e, node);
    return;
  }
  const { id } = node;
  const members = (node as { body?: { members: t.TSEnumMember[] } }).body?.members ?? node.members;
  const name = id.name;
  const outer = e.bindings.scopes.get(node) ? e.scope.parent! : e.scope;
  const inner = e.scope;
  e.scope = outer;
  const again = alreadyDeclared(e, name);
  e.scope = inner;
  const keyword = outer.parent === null || outer.holdsVar ? "var" : "let";
  const brace = e.text.indexOf("{", id.end!);
  const p = e.prefix;
  const object = members.some((member) => memberName(member) === name) ? e.fresh("n") : name;
  e.edits.replace(node.start!, brace + 1, `${again ? "" : `${keyword} ${name}; `}(function (${object}) {`);
  let previous: string | null = null;
  for (const member of members) {
    const key = memberName(member);
    const written = JSON.stringify(key);
    const local = isLocal(key) && object !== key ? `const ${key} = ` : "";
    const { initializer } = member;
    if (initializer) {
      e.edits.replace(member.start!, initializer.start!, `${local}${p}.member(${object}, ${written}, `);
      e.visit(initializer);
      e.edits.close(member.end!, ");");
    } else {
      const value: string = previous === null ? "0" : `${object}[${previous}] + 1`;
      e.edits.replace(member.start!, member.end!, `${local}${p}.member(${object}, ${written}, ${value});`);
    }
    previous = written;
    const comma = e.skip(member.end!);
    if (e.text[comma] === ",") e.edits.replace(comma, comma + 1, "");
  }
  e.edits.close(node.end!, `)(${name} || (${name} = {}));`);
}

function memberName(member: t.TSEnumMember): string {
  return member.id.type === "Identifier" ? member.id.name : member.id.value;
}

function isLocal(name: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) && !reserved.has(name);
}

/** False for namespaces that hold nothing but types. */
export function hasValues(node: t.TSModuleDeclaration): boolean {
  if (node.declare) return false;
  const body = node.body as t.TSModuleBlock | t.TSModuleDeclaration;
  if (body.type === "TSModuleDeclaration") return hasValues(body);
  return body.body.some((statement) => {
    const inner = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    switch (inner?.type) {
      case undefined:
      case "TSInterfaceDeclaration":
      case "TSTypeAliasDeclaration":
      case "TSDeclareFunction":
      case "EmptyStatement":
        return false;
      case "TSModuleDeclaration":
        return hasValues(inner);
      case "VariableDeclaration":
      case "ClassDeclaration":
      case "TSEnumDeclaration":
        return inner.declare !== true;
      default:
        return true;
    }
  });
}

export function namespaceDeclaration(e: Emitter, node: t.TSModuleDeclaration): void {
  if (!hasValues(node)) {
    typeOnly(e, node);
    return;
  }
  const name = (node.id as t.Identifier).name;
  openNamespace(e, node, name, name, node.start!);
}

/** `path` is how the namespace object is reached from outside, `name` how it is called inside. */
function openNamespace(
  e: Emitter,
  node: t.TSModuleDeclaration,
  name: string,
  path: string,
  start: number,
): void {
  const nested = path !== name;
  const again = nested || alreadyDeclared(e, name);
  const keyword = e.scope.parent === null || e.scope.holdsVar ? "var" : "let";
  const body = node.body as t.TSModuleBlock | t.TSModuleDeclaration;
  const prologue = `${again ? "" : `${keyword} ${name}; `}(function (${name}) {`;
  if (body.type === "TSModuleDeclaration") {
    // `namespace A.B {}`: B is opened inside A
    const inner = (body.id as t.Identifier).name;
    e.edits.replace(start, body.start!, `${prologue} `);
    e.edits.open(body.start!, `let ${inner}; `);
    const outerPath = `${path}.${inner}`;
    openNamespace(e, body, inner, outerPath, body.start!);
    e.edits.close(node.end!, `})(${ending(name, path)});`);
    return;
  }
  const known = e.namespaces.get(path) ?? new Set<string>();
  e.namespaces.set(path, known);
  const own = new Set<string>();
  for (const statement of body.body) for (const declared of declaredNames(statement)) own.add(declared);
  const earlier = [...known].filter((member) => !own.has(member));
  const imported = earlier.length > 0 ? ` let { ${earlier.join(", ")} } = ${name};` : "";
  e.edits.replace(start, body.start! + 1, `${prologue}${imported}`);
  const outer = e.scope;
  e.scope = e.bindings.scopes.get(body) ?? outer;
  for (const statement of body.body) namespaceMember(e, statement, name, path, known);
  e.scope = outer;
  e.edits.close(node.end!, `)(${ending(name, path)});`);
}

function ending(name: string, path: string): string {
  if (path === name) return `${name} || (${name} = {})`;
  const parts = path.split(".");
  const holder = parts[parts.length - 2];
  return `${name} = ${holder}.${name} || (${holder}.${name} = {})`;
}

function declaredNames(statement: t.Node): string[] {
  const node = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
  switch (node?.type) {
    case "VariableDeclaration":
      return node.declarations.flatMap(({ id }) => patternNames(id));
    case "FunctionDeclaration":
    case "ClassDeclaration":
    case "TSEnumDeclaration":
      return node.id ? [node.id.name] : [];
    case "TSModuleDeclaration":
      return node.id.type === "Identifier" && hasValues(node) ? [node.id.name] : [];
    default:
      return [];
  }
}

function namespaceMember(
  e: Emitter,
  statement: t.Node,
  name: string,
  path: string,
  known: Set<string>,
): void {
  if (statement.type !== "ExportNamedDeclaration") {
    e.visit(statement);
    return;
  }
  const { declaration } = statement;
  if (!declaration) {
    e.visit(statement);
    return;
  }
  const names = declaredNames(statement);
  if (names.length === 0) {
    typeOnly(e, statement);
    return;
  }
  for (const exported of names) known.add(exported);
  e.edits.blank(statement.start!, declaration.start!);
  if (declaration.type === "TSModuleDeclaration") {
    const inner = (declaration.id as t.Identifier).name;
    if (!alreadyDeclared(e, inner)) e.edits.open(declaration.start!, `let ${inner}; `);
    openNamespace(e, declaration, inner, `${path}.${inner}`, declaration.start!);
    return;
  }
  e.visit(declaration);
  const variable = declaration.type === "VariableDeclaration" && declaration.kind !== "const";
  for (const exported of names) {
    // A variable that can change is the namespace's own property, as seen from both sides.
    const text = variable
      ? ` ${e.prefix}.expose(${name}, ${JSON.stringify(exported)}, () => ${exported}, (v) => { ${exported} = v; });`
      : ` ${name}.${exported} = ${exported};`;
    e.edits.close(declaration.end!, text);
  }
}
