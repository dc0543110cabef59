/**
 * The facts of one file, from one walk over its tree: functions, stores, calls, loops, and what every name holds.
 * Rules ask here and look at the tree only for the shapes that are theirs.
 */
import { describeFunction, type Fn } from "./functions.js";
import type { Names } from "./options.js";
import { nameConstantKeys } from "./constant-keys.js";
import { numbered } from "./preorder.js";
import { Scopes, type Binding } from "./scopes.js";
import {
  argumentsOf,
  AT,
  bare,
  calleeName,
  child,
  endOf,
  identifier,
  isCall,
  isFunction,
  isMember,
  receiver,
  startOf,
  TREE,
  type Node,
  type Preorder,
} from "./tree.js";

/** Deeper trees than this are not read: see the notes of the lint. */
export const DEPTH_LIMIT = 1000;

export class TooDeep extends Error {}

/** Values are made of one another in so many ways that following them is given up: generated code. */
export class TooEntangled extends Error {}

/** Steps along values that a file may cost: engines take up to ten a node, hardly any other code more than thirty. */
const STEPS_A_NODE = 20;
const STEPS_AT_LEAST = 5e5;

const LOOPS = new Set([
  "ForStatement",
  "ForOfStatement",
  "ForInStatement",
  "WhileStatement",
  "DoWhileStatement",
]);

/** Methods that put their arguments into the receiver. */
const STORING = new Set([
  "push",
  "unshift",
  "set",
  "fill",
  "add",
  "splice",
  "copyWithin",
  "enqueue",
  "assign",
]);

export class FileFacts {
  /** the nodes of the file in the order of the text */
  readonly tree: Preorder;
  readonly scopes: Scopes;
  readonly functions: Fn[] = [];
  /** `=` and compound assignments */
  readonly assignments: Node[] = [];
  readonly updates: Node[] = [];
  readonly calls: Node[] = [];
  readonly news: Node[] = [];
  readonly loops: Node[] = [];
  readonly declarators: Node[] = [];
  readonly classes: Node[] = [];
  /** fields of classes: `grad = 0;` */
  readonly fields: Node[] = [];
  readonly objects: Node[] = [];
  readonly spreads: Node[] = [];
  readonly yields: Node[] = [];
  /** every node, by its type */
  readonly byType = new Map<string, Node[]>();
  readonly #functionOf = new Map<Node, Fn>();
  /** the function that the node at a place is or stands in */
  readonly #around: (Fn | null)[] = [];
  readonly #memo = new Map<string, unknown>();
  #steps = 0;

  /** Throws TooDeep. */
  constructor(
    readonly root: Node,
    readonly text: string,
    readonly names: Names,
  ) {
    // a tree that the parser of this lint made is numbered already
    this.tree = root[AT] === 0 ? root[TREE]! : numbered(root);
    if (this.tree.depth > DEPTH_LIMIT) throw new TooDeep();
    this.scopes = new Scopes(this.tree);
    const { nodes, parents } = this.tree;
    for (let place = 0; place < nodes.length; place++) {
      const parent = parents[place];
      this.#around.push(this.#enter(nodes[place], parent === -1 ? null : this.#around[parent]));
    }
    nameConstantKeys(this);
    this.#collectDefinitions();
  }

  /** Notes a node that stands in a function, and gives the function that what is inside stands in. */
  #enter(node: Node, around: Fn | null): Fn | null {
    const alike = this.byType.get(node.type);
    if (alike === undefined) this.byType.set(node.type, [node]);
    else alike.push(node);
    this.scopes.enter(node);
    if (isFunction(node)) {
      const fn = describeFunction(node, around);
      this.functions.push(fn);
      this.#functionOf.set(node, fn);
      return fn;
    }
    if (LOOPS.has(node.type)) this.loops.push(node);
    switch (node.type) {
      case "AssignmentExpression":
        this.assignments.push(node);
        break;
      case "UpdateExpression":
        this.updates.push(node);
        break;
      case "CallExpression":
      case "OptionalCallExpression":
        this.calls.push(node);
        break;
      case "NewExpression":
        this.news.push(node);
        break;
      case "VariableDeclarator":
        this.declarators.push(node);
        break;
      case "ClassDeclaration":
      case "ClassExpression":
        this.classes.push(node);
        break;
      case "PropertyDefinition":
      case "AccessorProperty":
        this.fields.push(node);
        break;
      case "ObjectExpression":
        this.objects.push(node);
        break;
      case "SpreadElement":
        this.spreads.push(node);
        break;
      case "YieldExpression":
        this.yields.push(node);
        break;
      case "ReturnStatement": {
        const value = child(node, "argument");
        if (value !== null) around?.returns.push(value);
      }
    }
    return around;
  }

  #collectDefinitions(): void {
    const { scopes } = this;
    for (const node of this.declarators) {
      const init = child(node, "init");
      if (init !== null) scopes.define(child(node, "id")!, init, "initial", node);
    }
    for (const loop of this.loops) {
      if (loop.type !== "ForOfStatement" && loop.type !== "ForInStatement") continue;
      const left = child(loop, "left")!;
      const declared = left.type === "VariableDeclaration" ? (left.declarations as Node[])[0] : null;
      const pattern = declared === null || declared === undefined ? left : child(declared, "id");
      const step = loop.type === "ForOfStatement" ? "[*]" : "[key]";
      if (pattern !== null) scopes.define(pattern, child(loop, "right")!, "initial", loop, [step]);
    }
    for (const node of this.assignments) {
      const left = bare(child(node, "left")!);
      const right = child(node, "right")!;
      if (isMember(left)) this.#defineElement(left, right, node);
      else scopes.define(left, right, node.operator === "=" ? "assigned" : "compound", node);
    }
    for (const call of this.calls) {
      const name = calleeName(call);
      const object = receiver(call);
      if (name !== null && object !== null && STORING.has(name))
        for (const argument of argumentsOf(call)) this.#defineElement(object, argument, call);
      this.#defineParams(call, name, object);
    }
  }

  /** `local[i] = value`, `local.x = value`: the value reaches the local at the root of the target. */
  #defineElement(target: Node, value: Node, at: Node): void {
    let root = bare(target);
    while (isMember(root)) root = bare(child(root, "object")!);
    const binding = root.type === "Identifier" ? this.scopes.resolve(root) : null;
    if (binding !== null && binding.kind === "variable")
      binding.definitions.push({ expression: value, path: [], kind: "element", at });
  }

  /** Parameters of callbacks that run at once hold elements of the receiver; those of an invoked function its arguments. */
  #defineParams(call: Node, name: string | null, object: Node | null): void {
    const callee = bare(child(call, "callee")!);
    const args = argumentsOf(call);
    if (isFunction(callee)) {
      const params = this.#functionOf.get(callee)?.params ?? [];
      params.forEach((param, i) => {
        if (args[i] !== undefined) this.scopes.define(param, args[i], "initial", call);
      });
      return;
    }
    for (const argument of args) {
      const fn = isFunction(argument) ? this.#functionOf.get(argument) : undefined;
      if (fn === undefined || !fn.inline || object === null || name === null) continue;
      const folds = name === "reduce" || name === "reduceRight";
      const source = name === "from" ? args[0] : object;
      const at = folds ? 1 : 0;
      if (fn.params[at] !== undefined && source !== argument)
        this.scopes.define(fn.params[at], source, "initial", call, ["[*]"]);
      if (folds && fn.params[0] !== undefined && args[1] !== undefined)
        this.scopes.define(fn.params[0], args[1], "initial", call);
    }
  }

  /** Counts steps along values and the names that hold them. Throws TooEntangled. */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > STEPS_AT_LEAST + STEPS_A_NODE * this.tree.nodes.length) throw new TooEntangled();
  }

  functionOf(node: Node): Fn | null {
    return this.#functionOf.get(node) ?? null;
  }

  /** The nearest function around a node, the node itself not counted unless it is not a function. */
  enclosing(node: Node): Fn | null {
    for (let at: Node | null | undefined = node; at !== null && at !== undefined; at = at.parent)
      if (at[AT] !== undefined) return this.#around[at[AT]] ?? null;
    return null;
  }

  /** The function in whose run a node is evaluated: callbacks that are called at once belong to what is around them. */
  home(node: Node): Fn | null {
    let fn = this.enclosing(node);
    while (fn !== null && fn.inline) fn = fn.parent;
    return fn;
  }

  /** Home of the place where a function stands. */
  outer(fn: Fn): Fn | null {
    return fn.node.parent === null || fn.node.parent === undefined ? null : this.home(fn.node.parent);
  }

  binding(node: Node): Binding | null {
    const inner = bare(node);
    return identifier(inner) === null ? null : this.scopes.resolve(inner);
  }

  /** Source text of a node. */
  source(node: Node): string {
    const start = startOf(node);
    const end = endOf(node);
    return this.text.slice(start, end);
  }

  /** One computation a file: analyses that several rules read are kept under a name. */
  once<T>(name: string, compute: (facts: FileFacts) => T): T {
    const known = this.#memo.get(name);
    if (known !== undefined) return known as T;
    const made = compute(this);
    this.#memo.set(name, made);
    return made;
  }

  /** Calls and constructions. */
  *invocations(): Iterable<Node> {
    yield* this.calls;
    yield* this.news;
  }

  isCall(node: Node): boolean {
    return isCall(node) || node.type === "NewExpression";
  }
}
