/** Which handler serves which node type. A type that is not listed is passed through: its children are visited. */
import type { Emitter, Handler, Use } from "./emitter.js";
import type * as t from "@babel/types";
import { assignment, update } from "./assignments.js";
import { call, chained, tagged } from "./calls.js";
import { accessorField, classNode, field, method, property } from "./classes.js";
import { functionDeclaration, functionExpression } from "./functions.js";
import { enumDeclaration, namespaceDeclaration } from "./lowering.js";
import { member } from "./members.js";
import { exportAll, exportDefault, exportNamed, importDeclaration, refused } from "./modules.js";
import { binary, conditional, logical, sequence, template, unary } from "./operators.js";
import {
  catchClause,
  conditionStatement,
  endedStatement,
  expressionStatement,
  labeled,
  loop,
  switchStatement,
  throwStatement,
  variables,
} from "./statements.js";
import { assertion, identifier, nonNull, pattern, rest, suffix, typeOnly } from "./types.js";

const passUse = (e: Emitter, node: t.ParenthesizedExpression, use: Use): void =>
  e.visit(node.expression, use);
const nothing = (): void => undefined;
const jsx = refused("JSX is not supported");

const table: Readonly<Record<string, unknown>> = {
  // expressions
  ArrowFunctionExpression: functionExpression,
  AssignmentExpression: assignment,
  BinaryExpression: binary,
  CallExpression: chained(call),
  ClassExpression: classNode,
  ConditionalExpression: conditional,
  FunctionExpression: functionExpression,
  Identifier: identifier,
  LogicalExpression: logical,
  MemberExpression: chained(member),
  MetaProperty: nothing,
  NewExpression: chained(call),
  ObjectProperty: property,
  ObjectMethod: method,
  OptionalCallExpression: chained(call),
  OptionalMemberExpression: chained(member),
  ParenthesizedExpression: passUse,
  SequenceExpression: sequence,
  TaggedTemplateExpression: chained(tagged),
  TemplateLiteral: template,
  UnaryExpression: unary,
  UpdateExpression: update,
  // patterns
  ArrayPattern: pattern,
  ObjectPattern: pattern,
  RestElement: rest,
  // statements
  BreakStatement: endedLabel,
  CatchClause: catchClause,
  ContinueStatement: endedLabel,
  DebuggerStatement: endedStatement,
  DoWhileStatement: loop_,
  ExpressionStatement: expressionStatement,
  ForInStatement: loop_,
  ForOfStatement: loop_,
  ForStatement: loop_,
  FunctionDeclaration: functionDeclaration,
  IfStatement: conditionStatement,
  LabeledStatement: labeled,
  ReturnStatement: endedStatement,
  SwitchStatement: switchStatement,
  ThrowStatement: throwStatement,
  VariableDeclaration: variables,
  WhileStatement: loop_,
  // classes
  ClassAccessorProperty: accessorField,
  ClassDeclaration: classNode,
  ClassMethod: method,
  ClassPrivateMethod: method,
  ClassPrivateProperty: field,
  ClassProperty: field,
  // modules
  ExportAllDeclaration: exportAll,
  ExportDefaultDeclaration: exportDefault,
  ExportNamedDeclaration: exportNamed,
  ImportDeclaration: importDeclaration,
  // types
  TSAsExpression: suffix,
  TSDeclareFunction: typeOnly,
  TSDeclareMethod: typeOnly,
  TSEnumDeclaration: enumDeclaration,
  TSExportAssignment: refused("`export =` is not supported: write `export default`"),
  TSImportEqualsDeclaration: refused("`import x = ...` is not supported: write `import x from ...`"),
  TSIndexSignature: typeOnly,
  TSInstantiationExpression: suffix,
  TSInterfaceDeclaration: typeOnly,
  TSModuleDeclaration: namespaceDeclaration,
  TSNamespaceExportDeclaration: typeOnly,
  TSNonNullExpression: chained(nonNull),
  TSSatisfiesExpression: suffix,
  TSTypeAliasDeclaration: typeOnly,
  TSTypeAssertion: assertion,
  JSXElement: jsx,
  JSXFragment: jsx,
};

function loop_(e: Emitter, node: Parameters<typeof loop>[1]): void {
  loop(e, node);
}

function endedLabel(e: Emitter, node: t.Node): void {
  e.endStatement(node);
}

export const handlers: ReadonlyMap<string, Handler> = new Map(Object.entries(table) as [string, Handler][]);
