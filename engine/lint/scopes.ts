/** Who a name is: bindings of a file, resolved lexically, each with everything that is ever stored under it. */
import { NodeTable } from "./preorder.js";
import {
  AT,
  bare,
  child,
  children,
  identifier,
  isFunction,
  keyName,
  type Node,
  type Preorder,
} from "./tree.js";

/** Steps from a stored expression to the bound part: `.left`, `[0]`, `[*]` for each element, `...` for the rest. */
export type Path = readonly string[];

export interface Definition {
  readonly expression: Node;
  readonly path: Path;
  /** compound: `+=` and the like; element: a part of it was written or pushed */
  readonly kind: "initial" | "assigned" | "compound" | "element";
  readonly at: Node;
}

export interface Binding {
  readonly id: number;
  readonly name: string;
  readonly kind: "param" | "variable" | "function" | "class" | "import" | "caught";
  /** the declaring identifier, or the function or class it names */
  readonly declaration: Node;
  /** the scope that holds it: a function, a block, a loop, the program */
  readonly scope: Node;
  readonly definitions: Definition[];
  /** of a part of a destructured parameter: the parameter, and the way to the part */
  pattern: { readonly param: Node; readonly path: Path } | null;
  /** an init that is a default value does not make it the only one */
  defaulted: boolean;
}

/** A part of a destructuring pattern that receives a value. */
export interface Leaf {
  readonly target: Node;
  readonly path: Path;
  readonly fallback: Node | null;
}

/** The targets of a pattern with the way to each; a plain target is its own only leaf. */
export function leaves(pattern: Node): Leaf[] {
  const out: Leaf[] = [];
  const stack: Leaf[] = [{ target: pattern, path: [], fallback: null }];
  while (stack.length > 0) {
    const { target, path, fallback } = stack.pop()!;
    const node = bare(target);
    if (node.type === "AssignmentPattern")
      stack.push({ target: child(node, "left")!, path, fallback: child(node, "right") });
    else if (node.type === "TSParameterProperty")
      stack.push({ target: child(node, "parameter")!, path, fallback });
    else if (node.type === "RestElement")
      stack.push({ target: child(node, "argument")!, path: [...path, "..."], fallback });
    else if (node.type === "ArrayPattern") {
      const elements = children(node, "elements");
      for (let i = elements.length - 1; i >= 0; i--) {
        const element = elements[i];
        if (element !== null) stack.push({ target: element, path: [...path, `[${i}]`], fallback });
      }
    } else if (node.type === "ObjectPattern") {
      const properties = children(node, "properties");
      for (let i = properties.length - 1; i >= 0; i--) {
        const property = properties[i];
        if (property === null) continue;
        if (property.type === "RestElement") stack.push({ target: property, path, fallback });
        else {
          const name = keyName(child(property, "key")!, property.computed === true);
          stack.push({
            target: child(property, "value")!,
            path: [...path, name === null ? "[*]" : `.${name}`],
            fallback,
          });
        }
      }
    } else out.push({ target: node, path, fallback });
  }
  return out;
}

const SCOPES = new Set([
  "Program",
  "BlockStatement",
  "ForStatement",
  "ForOfStatement",
  "ForInStatement",
  "CatchClause",
  "SwitchStatement",
  "StaticBlock",
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
]);

const isFunctionScope = (node: Node): boolean =>
  isFunction(node) || node.type === "Program" || node.type === "StaticBlock";

/** A stretch of code with names of its own. */
interface Scope {
  readonly node: Node;
  readonly around: Scope | null;
  /** null: no name yet */
  names: Map<string, Binding> | null;
}

function functionWide(scope: Scope): Scope {
  let at = scope;
  while (!isFunctionScope(at.node) && at.around !== null) at = at.around;
  return at;
}

export class Scopes {
  readonly #tree: Preorder;
  /** the innermost scope that the node at a place opens or stands in */
  readonly #innermost: Scope[] = [];
  readonly #resolved: NodeTable<Binding | null>;
  /** every name that is declared anywhere */
  readonly #declared = new Set<string>();
  #count = 0;

  constructor(tree: Preorder) {
    this.#tree = tree;
    this.#resolved = new NodeTable(tree);
  }

  #scopeOf(node: Node | null | undefined): Scope | null {
    for (let at = node; at !== null && at !== undefined; at = at.parent)
      if (at[AT] !== undefined) return this.#innermost[at[AT]];
    return null;
  }

  #declare(scope: Scope, name: string, kind: Binding["kind"], declaration: Node): Binding {
    this.#declared.add(name);
    scope.names ??= new Map();
    let binding = scope.names.get(name);
    if (binding === undefined) {
      const id = this.#count++;
      binding = {
        id,
        name,
        kind,
        declaration,
        scope: scope.node,
        definitions: [],
        pattern: null,
        defaulted: false,
      };
      scope.names.set(name, binding);
    }
    return binding;
  }

  /** Declares what a node declares, if anything. Called for the nodes of the tree by their places. */
  enter(node: Node): void {
    const place = this.#innermost.length;
    const around = place === 0 ? null : this.#innermost[this.#tree.parents[place]];
    const scope = around === null || SCOPES.has(node.type) ? { node, around, names: null } : around;
    this.#innermost.push(scope);
    switch (node.type) {
      case "VariableDeclarator": {
        const target = node.parent?.kind === "var" ? functionWide(scope) : scope;
        for (const leaf of leaves(child(node, "id")!)) {
          const name = identifier(leaf.target);
          if (name !== null) this.#declare(target, name, "variable", leaf.target);
        }
        return;
      }
      case "FunctionDeclaration":
      case "ClassDeclaration": {
        const name = identifier(child(node, "id"));
        const kind = node.type === "ClassDeclaration" ? "class" : "function";
        if (name !== null) this.#declare(around ?? scope, name, kind, node);
        break;
      }
      case "FunctionExpression": {
        const name = identifier(child(node, "id"));
        if (name !== null) this.#declare(scope, name, "function", node);
        break;
      }
      case "CatchClause": {
        const param = child(node, "param");
        if (param === null) return;
        for (const { target } of leaves(param)) {
          const name = identifier(target);
          if (name !== null) this.#declare(scope, name, "caught", target);
        }
        return;
      }
      case "ImportDefaultSpecifier":
      case "ImportNamespaceSpecifier":
      case "ImportSpecifier": {
        const local = child(node, "local");
        const name = identifier(local);
        if (name !== null) this.#declare(functionWide(scope), name, "import", local!);
        return;
      }
    }
    if (isFunction(node))
      for (const param of children(node, "params")) {
        if (param === null) continue;
        for (const leaf of leaves(param)) {
          const name = identifier(leaf.target);
          if (name === null) continue;
          const binding = this.#declare(scope, name, "param", leaf.target);
          if (leaf.fallback !== null) binding.defaulted = true;
          if (leaf.path.length > 0) binding.pattern = { param, path: leaf.path };
        }
      }
  }

  /** The binding an identifier stands for, null for globals. */
  resolve(node: Node): Binding | null {
    const known = this.#resolved.get(node);
    if (known !== undefined) return known;
    const name = node.name as string;
    let found: Binding | null = null;
    // most names of a file are globals and properties
    let scope = this.#declared.has(name) ? this.#scopeOf(node) : null;
    for (; scope !== null && found === null; scope = scope.around) found = scope.names?.get(name) ?? null;
    this.#resolved.set(node, found);
    return found;
  }

  /** Adds one value stored under what the pattern names. Targets that are no names are the caller's. */
  define(pattern: Node, expression: Node, kind: Definition["kind"], at: Node, prefix: Path = []): void {
    for (const { target, path, fallback } of leaves(pattern)) {
      if (target.type !== "Identifier") continue;
      const binding = this.resolve(target);
      if (binding === null) continue;
      binding.definitions.push({ expression, path: [...prefix, ...path], kind, at });
      if (fallback !== null) binding.defaulted = true;
    }
  }

  /** True when the binding is declared in `fn` itself or a block of it, not in a function around or inside it. */
  declaredIn(binding: Binding, fn: Node): boolean {
    let at: Node | null | undefined = binding.scope;
    while (at !== null && at !== undefined && !isFunctionScope(at)) at = at.parent;
    return at === fn;
  }
}
