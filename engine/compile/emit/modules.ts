/** Imports and exports: type-only ones go, the rest stays as written (what is not marked `type` is a value). */
import type * as t from "@babel/types";
import type { Emitter } from "./emitter.js";
import { takesName, unwrap } from "../tree.js";
import { hasValues } from "./lowering.js";
import { typeOnly } from "./types.js";

function nameOf(node: t.Identifier | t.StringLiteral): string {
  return node.type === "Identifier" ? node.name : node.value;
}

export function importDeclaration(e: Emitter, node: t.ImportDeclaration): void {
  if (node.importKind === "type" || node.importKind === "typeof") {
    typeOnly(e, node);
    return;
  }
  const names: string[] = [];
  for (const specifier of node.specifiers) {
    switch (specifier.type) {
      case "ImportDefaultSpecifier":
        names.push("default");
        break;
      case "ImportNamespaceSpecifier":
        names.push("*");
        break;
      default:
        if (specifier.importKind === "type" || specifier.importKind === "typeof") inlineType(e, specifier);
        else names.push(nameOf(specifier.imported));
    }
  }
  e.addImport(node.source.value, node.source, false, names);
  e.endStatement(node);
}

/** `type A` inside braces goes with its comma. */
function inlineType(e: Emitter, specifier: t.Node): void {
  const next = e.skip(specifier.end!);
  e.edits.blank(specifier.start!, specifier.end!);
  if (e.text[next] === ",") e.edits.blank(next, next + 1);
}

export function exportNamed(e: Emitter, node: t.ExportNamedDeclaration): void {
  const { declaration, source } = node;
  if (node.exportKind === "type") {
    typeOnly(e, node);
    return;
  }
  if (declaration) {
    exportedDeclaration(e, node, declaration);
    return;
  }
  const names: string[] = [];
  for (const specifier of node.specifiers) {
    if (specifier.type === "ExportSpecifier") {
      if ((specifier as { exportKind?: string }).exportKind === "type") inlineType(e, specifier);
      else names.push(nameOf(specifier.local as t.Identifier));
    } else if (specifier.type === "ExportNamespaceSpecifier") {
      names.push("*");
    }
  }
  if (source) e.addImport(source.value, source, false, names);
  e.endStatement(node);
}

function exportedDeclaration(e: Emitter, node: t.ExportNamedDeclaration, declaration: t.Declaration): void {
  if ((declaration as { declare?: boolean }).declare) {
    typeOnly(e, node);
    return;
  }
  switch (declaration.type) {
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
    case "TSDeclareFunction":
      typeOnly(e, node);
      return;
    case "TSEnumDeclaration":
    case "TSModuleDeclaration":
      exportedLowered(e, node, declaration);
      return;
    default:
      e.visit(declaration);
  }
}

/** `export enum E`: the first declaration is exported as a variable; later ones of the same name add to it. */
function exportedLowered(
  e: Emitter,
  node: t.ExportNamedDeclaration,
  declaration: t.TSEnumDeclaration | t.TSModuleDeclaration,
): void {
  const name = declaration.id.type === "Identifier" ? declaration.id.name : "";
  const again = e.lowered.get(e.scope)?.has(name) || e.scope.solid.has(name);
  e.edits.blank(node.start!, declaration.start!);
  if (!again && !(declaration.type === "TSModuleDeclaration" && !hasValues(declaration))) {
    e.edits.openFirst(declaration.start!, "export ");
  }
  e.visit(declaration);
}

export function exportDefault(e: Emitter, node: t.ExportDefaultDeclaration): void {
  const { declaration } = node;
  if (declaration.type === "TSDeclareFunction" || (declaration.type as string) === "TSInterfaceDeclaration") {
    typeOnly(e, node);
    return;
  }
  if (takesName(declaration)) e.nameHints.set(unwrap(declaration), "default");
  e.visit(declaration);
  if (declaration.type !== "FunctionDeclaration" && declaration.type !== "ClassDeclaration")
    e.endStatement(node);
}

export function exportAll(e: Emitter, node: t.ExportAllDeclaration): void {
  if (node.exportKind === "type") {
    typeOnly(e, node);
    return;
  }
  e.addImport(node.source.value, node.source, false, ["*"]);
  e.endStatement(node);
}

export function refused(message: string) {
  return (e: Emitter, node: t.Node): void => e.fail("refused", message, node.start!, node.end!);
}
