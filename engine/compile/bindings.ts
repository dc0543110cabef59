/**
 * Who declares a name, and whether it can ever hold a traced number. The second question is what keeps rewritten code
 * fast: a loop counter that only ever gets literals and `++` needs no rewriting at all.
 */
import type { Node, Program, VariableDeclaration } from "@babel/types";
import { neverTraced } from "./plain.js";
import { eachChild, isFunction, patternNames } from "./tree.js";

export interface Binding {
  readonly name: string;
  /** the function (or program) in whose instances the variable lives */
  readonly owner: Node;
  /** no assignment can give it a traced number */
  plain: boolean;
  /** declared as a function; it is that function still if nothing is assigned to it */
  isFunction: boolean;
  /** what is assigned to it; null: something unknown */
  readonly values: { readonly value: Node | null; readonly scope: BlockScope }[];
}

export class BlockScope {
  readonly names = new Map<string, Binding>();
  /** names of functions and classes declared here: an enum or namespace of that name adds to them */
  readonly solid = new Set<string>();
  /** nothing in the module is traced: it is loaded to be observed, not recorded */
  readonly untraced: boolean;

  constructor(
    readonly parent: BlockScope | null,
    /** the function (or program) it belongs to */
    readonly owner: Node,
    /** `var` lands in the nearest of these */
    readonly holdsVar: boolean,
    untraced = false,
  ) {
    this.untraced = parent?.untraced ?? untraced;
  }

  resolve(name: string): Binding | null {
    return this.names.get(name) ?? this.parent?.resolve(name) ?? null;
  }
}

export interface Bindings {
  readonly root: BlockScope;
  /** the scope a node opens */
  readonly scopes: ReadonlyMap<Node, BlockScope>;
}

interface Assignment {
  readonly name: string;
  readonly scope: BlockScope;
  readonly value: Node | null;
}

/** @param untraced no value of the module is ever traced */
export function analyseBindings(program: Program, untraced = false): Bindings {
  const scopes = new Map<Node, BlockScope>();
  const assignments: Assignment[] = [];
  const all: Binding[] = [];

  const declare = (scope: BlockScope, name: string, plain: boolean): Binding => {
    let binding = scope.names.get(name);
    if (!binding) {
      binding = { name, owner: scope.owner, plain, isFunction: false, values: [] };
      scope.names.set(name, binding);
      all.push(binding);
    } else if (!plain) {
      binding.plain = false;
    }
    return binding;
  };

  const varScope = (scope: BlockScope): BlockScope => {
    let at = scope;
    while (!at.holdsVar && at.parent) at = at.parent;
    return at;
  };

  const declareVariables = (node: VariableDeclaration, scope: BlockScope, each: "of" | "in" | null): void => {
    if (node.declare) return;
    const target = node.kind === "var" ? varScope(scope) : scope;
    for (const { id, init } of node.declarations) {
      if (id.type === "Identifier") {
        declare(target, id.name, true);
        if (each === "of") assignments.push({ name: id.name, scope, value: null });
        else if (init) assignments.push({ name: id.name, scope, value: init });
      } else {
        for (const name of patternNames(id)) declare(target, name, false);
      }
    }
  };

  const assign = (target: Node, scope: BlockScope, value: Node | null): void => {
    if (target.type === "Identifier") assignments.push({ name: target.name, scope, value });
    else for (const name of patternNames(target)) assignments.push({ name, scope, value: null });
  };

  const open = (node: Node, parent: BlockScope, owner: Node, holdsVar: boolean): BlockScope => {
    const scope = new BlockScope(parent, owner, holdsVar);
    scopes.set(node, scope);
    return scope;
  };

  const walk = (node: Node, scope: BlockScope): void => {
    let inner = scope;
    switch (node.type) {
      case "ImportDeclaration":
        if (node.importKind === "type") return;
        for (const specifier of node.specifiers) declare(scope, specifier.local.name, false);
        return;
      case "VariableDeclaration":
        declareVariables(node, scope, null);
        break;
      case "FunctionDeclaration":
        if (node.id) {
          declare(scope, node.id.name, true).isFunction = true;
          scope.solid.add(node.id.name);
        }
        break;
      case "ExportNamedDeclaration":
        if (scope !== root && node.declaration?.type === "VariableDeclaration") {
          // an exported variable of a namespace can be set through the namespace object
          walk(node.declaration, scope);
          for (const { id } of node.declaration.declarations) {
            for (const name of patternNames(id)) scope.resolve(name)!.plain = false;
          }
          return;
        }
        break;
      case "ClassDeclaration":
        if (node.declare) return;
        if (node.id) {
          declare(scope, node.id.name, true);
          scope.solid.add(node.id.name);
        }
        break;
      case "TSEnumDeclaration":
        if (node.declare) return;
        declare(scope, node.id.name, true);
        inner = open(node, scope, scope.owner, false);
        for (const member of node.members)
          if (member.id.type === "Identifier") declare(inner, member.id.name, true);
        break;
      case "TSModuleDeclaration":
        if (node.declare) return;
        if (node.id.type === "Identifier") declare(scope, node.id.name, true);
        break;
      case "TSInterfaceDeclaration":
      case "TSTypeAliasDeclaration":
      case "TSDeclareFunction":
      case "TSTypeAnnotation":
        return;
      case "AssignmentExpression":
        if (node.operator === "=") assign(node.left, scope, node.right);
        else if (node.left.type === "Identifier") assign(node.left, scope, node.right);
        break;
      case "ForOfStatement":
      case "ForInStatement":
        inner = open(node, scope, scope.owner, false);
        if (node.left.type === "VariableDeclaration") {
          declareVariables(node.left, inner, node.type === "ForOfStatement" ? "of" : "in");
        } else if (node.type === "ForOfStatement") {
          assign(node.left, scope, null);
        }
        walkParts([node.right, node.body], inner);
        if (node.left.type === "VariableDeclaration") {
          for (const { id } of node.left.declarations) walk(id, inner);
        } else {
          walk(node.left, inner);
        }
        return;
      case "ForStatement":
      case "BlockStatement":
      case "SwitchStatement":
        inner = open(node, scope, scope.owner, false);
        break;
      case "CatchClause":
        inner = open(node, scope, scope.owner, false);
        if (node.param) for (const name of patternNames(node.param)) declare(inner, name, false);
        break;
      case "StaticBlock":
      case "TSModuleBlock":
        inner = open(node, scope, scope.owner, true);
        break;
      case "ClassExpression":
        inner = open(node, scope, scope.owner, false);
        if (node.id) declare(inner, node.id.name, true);
        break;
      default:
        break;
    }
    if (isFunction(node)) {
      inner = open(node, scope, node, true);
      const f = node as Extract<Node, { params: unknown; body: unknown }>;
      if (node.type === "FunctionExpression" && node.id) declare(inner, node.id.name, true);
      for (const parameter of f.params as Node[])
        for (const name of patternNames(parameter)) declare(inner, name, false);
    }
    eachChild(node, (child) => walk(child, inner));
  };
  const walkParts = (nodes: readonly Node[], scope: BlockScope): void => {
    for (const node of nodes) walk(node, scope);
  };

  const root = new BlockScope(null, program, true, untraced);
  scopes.set(program, root);
  eachChild(program, (child) => walk(child, root));

  for (const { name, scope, value } of assignments) {
    const binding = scope.resolve(name);
    binding?.values.push({ value, scope });
  }
  // Optimistic: all candidates are plain until an assignment shows otherwise; each round can only take candidates away.
  for (let changed = true; changed;) {
    changed = false;
    for (const binding of all) {
      if (!binding.plain) continue;
      for (const { value, scope } of binding.values) {
        if (value !== null && neverTraced(value, scope)) continue;
        binding.plain = false;
        changed = true;
        break;
      }
    }
  }
  return { root, scopes };
}
