/** What expressions stand for: keys that make two spellings of one place equal, and the reads a value is made of. */
import type { FileFacts } from "./facts.js";
import { calledAtOnce, localFunction } from "./local.js";
import { NodeTable } from "./preorder.js";
import { fieldsOf, mayMeet, storesInto } from "./stored-parts.js";
import { holdsMap, updatesOf } from "./lookups.js";
import type { Binding } from "./scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  isCall,
  isFunction,
  isMember,
  propertyName,
  receiver,
  startOf,
  walk,
  type Node,
} from "./tree.js";
import {
  type Read,
  FORM,
  BLANK,
  SAME_ELEMENTS,
  ONE_ELEMENT,
  replaceRoot,
  isPropertyPosition,
  getsEntry,
  isForm,
  partHolder,
  readAt,
  stretchFrom,
} from "./value-forms.js";

const LIMIT = 500;

/** Nodes of one value that are looked at; larger ones are no contributions. */
const NODES = 5000;

const KEY_LIMIT = 300;

export class Values {
  readonly #keys: NodeTable<string>;
  readonly #reads = new Map<Node, readonly Read[]>();
  readonly #aliases = new Map<Binding, string | null>();

  #budget = 0;

  constructor(readonly facts: FileFacts) {
    this.#keys = new NodeTable(facts.tree);
  }

  /**
   * A text that two expressions share when they name the same place: locals that only rename are looked through,
   * elements of what is iterated are `[*]`.
   */
  key(node: Node): string {
    const inner = bare(node);
    let key = this.#keys.get(inner);
    if (key === undefined) {
      // a name defined by itself ends here
      this.#keys.set(inner, `?${startOf(inner)}`);
      key = this.#key(inner);
      // names defined by names defined by names: no place is spelled so
      if (key.length > KEY_LIMIT) key = `?${startOf(inner)}`;
      this.#keys.set(inner, key);
    }
    return key;
  }

  #key(node: Node): string {
    if (node.type === "ThisExpression") return "this";
    if (node.type === "Super") return "this";
    if (node.type === "Identifier") {
      const binding = this.facts.scopes.resolve(node);
      if (binding === null) return String(node.name);
      return this.#alias(binding) ?? `${binding.name}~${binding.id}`;
    }
    if (node.type === "Literal")
      return typeof node.value === "bigint"
        ? `${node.value}n`
        : (JSON.stringify(typeof node.value === "bigint" ? `${node.value}n` : node.value) ??
            `?${startOf(node)}`);
    if (isMember(node)) {
      const object = this.key(child(node, "object")!);
      const name = propertyName(node);
      return name !== null ? `${object}.${name}` : `${object}[${this.key(child(node, "property")!)}]`;
    }
    if (node.type === "ArrayExpression") {
      const only = children(node, "elements");
      if (only.length === 1 && only[0]?.type === "SpreadElement")
        return this.key(child(only[0], "argument")!);
      // `[i, j]` as the place in a tensor
      if (
        only.length > 0 &&
        only.length < 5 &&
        only.every((one) => one !== null && one.type !== "SpreadElement")
      )
        return `(${only.map((one) => this.key(one!)).join(",")})`;
    }
    if (isCall(node) || node.type === "NewExpression") {
      const name = calleeName(node);
      const object = receiver(node);
      const args = argumentsOf(node);
      if (isCall(node)) {
        const handed = this.#handedOut(node, object, args);
        if (handed !== null) return handed;
      }
      if (object !== null && name !== null) {
        if (name === "from" && args.length === 1) return this.key(args[0]);
        if (SAME_ELEMENTS.has(name)) return this.key(object);
        if (ONE_ELEMENT.has(name)) return `${this.key(object)}[*]`;
        if (getsEntry(name, args)) return `${this.key(object)}[${this.key(args[0])}]`;
        if (name === "entries" && args.length === 0) return `${this.key(object)}[entries]`;
        if (name === "entries") return `${this.key(args[0])}[entries]`;
      }
      if (node.type === "NewExpression" && (name === "Set" || name === "Array") && args.length === 1)
        return this.key(args[0]);
    }
    if (node.type === "BinaryExpression")
      return `(${this.key(child(node, "left")!)}${String(node.operator)}${this.key(child(node, "right")!)})`;
    if (node.type === "LogicalExpression" && node.operator !== "&&") {
      const fallback = bare(child(node, "right")!);
      if (fallback.type === "Literal" || fallback.type === "ArrayExpression")
        return this.key(child(node, "left")!);
    }
    return `?${startOf(node)}`;
  }

  /** `read(n)` of `const read = (n) => bar.get(n) ?? 0`, `x.getGrad()`: the place that a one-line reader hands out. */
  #handedOut(call: Node, object: Node | null, args: readonly Node[]): string | null {
    if (object === null) {
      const callee = this.key(child(call, "callee")!);
      if (callee.endsWith(".get") && args.length === 1) return `${callee.slice(0, -4)}[${this.key(args[0])}]`;
    }
    // `this.table.get(n)` of a map, in a class that has a `get` of its own
    if (object !== null && calleeName(call) === "get" && holdsMap(this.facts, object)) return null;
    const fn = localFunction(this.facts, call);
    if (fn === null || fn.returns.length !== 1 || fn.params.length !== args.length) return null;
    const place = bare(fn.returns[0]);
    // `return (this.g ??= zeros(n))`
    const made = place.type === "AssignmentExpression" && /^(?:\?\?|\|\|)=$/.test(String(place.operator));
    const reader = made || place.type === "LogicalExpression" ? bare(child(place, "left")!) : place;
    if (!isMember(reader) && !(isCall(reader) && calleeName(reader) === "get")) return null;
    let key = this.key(reader);
    if (key.startsWith("?")) return null;
    fn.params.forEach((param, i) => {
      if (param.type === "Identifier") key = replaceRoot(key, this.key(param), this.key(args[i]));
    });
    return object === null ? key : replaceRoot(key, "this", this.key(object));
  }

  /** What a name that only renames stands for, null when it is a place of its own. */
  #alias(binding: Binding): string | null {
    const known = this.#aliases.get(binding);
    if (known !== undefined) return known;
    this.#aliases.set(binding, null);
    const stored = binding.definitions.filter(({ kind }) => kind !== "element");
    let key: string | null = null;
    // `({ ins: [a, b], grad }) => ...`: parts of what is handed in
    if (stored.length === 0 && binding.pattern !== null && !binding.pattern.path.includes("..."))
      key = `$in~${startOf(binding.pattern.param)}${binding.pattern.path.join("")}`;
    // `for (let i = last; i >= 0; i--)`: no longer what it started as
    if (stored.length === 1 && stored[0].kind === "initial" && updatesOf(this.facts, binding).length === 0) {
      const { expression, path } = stored[0];
      const base = this.key(expression);
      if (!base.startsWith("?") && !base.startsWith("(") && !/^["\d]/.test(base) && base !== "null") {
        key = path.reduce((whole, step) => (step === "..." ? whole : whole + step), base);
        // `for (const [i, x] of xs.entries())`
        key = key.replace(/\[entries\]\[\*\]\[1\]/g, "[*]");
      }
    }
    this.#aliases.set(binding, key);
    return key;
  }

  /** The reads a value is made of, through locals, callbacks and calls; forms (`x.length`) and blanks are not content. */
  reads(node: Node): readonly Read[] {
    const known = this.#reads.get(node);
    if (known !== undefined) return known;
    const out: Read[] = [];
    const seen = new Set<unknown>();
    const queue: Node[] = [node];
    const done = new Set<Node>();
    this.#budget = NODES;
    while (queue.length > 0 && out.length < LIMIT && this.#budget > 0) {
      const next = queue.pop()!;
      if (done.has(next)) continue;
      done.add(next);
      this.#readsIn(next, out, seen, queue);
    }
    this.facts.spend(NODES - this.#budget);
    this.#reads.set(node, out);
    return out;
  }

  #readsIn(root: Node, out: Read[], seen: Set<unknown>, queue: Node[]): void {
    walk(root, (node) => {
      if (this.#budget-- <= 0) return false;
      if (node.type === "Identifier") {
        this.#ofName(node, out, seen, queue);
        return;
      }
      // what is hung on a value to run later is no part of its content
      if (
        node !== root &&
        isFunction(node) &&
        this.facts.functionOf(node)?.inline === false &&
        !calledAtOnce(this.facts, node)
      )
        return false;
      if (isMember(node)) {
        const name = propertyName(node);
        if (name !== null && FORM.has(name)) return false;
        const object = child(node, "object")!;
        if (name !== null) out.push({ kind: "field", node, object: this.key(object), name });
        else if (node.computed === true)
          out.push({
            kind: "element",
            node,
            container: this.key(object),
            index: this.key(child(node, "property")!),
          });
        return;
      }
      if (isCall(node) || node.type === "NewExpression") {
        const name = calleeName(node) ?? "";
        if (BLANK.test(name) && argumentsOf(node).every((a) => !this.#isContent(a))) return false;
        if (/Array$|^Buffer$|Tensor$|Matrix$/.test(name) && node.type === "NewExpression" && isForm(node))
          return false;
        const object = receiver(node);
        const handed = isCall(node) ? this.#handedOut(node, object, argumentsOf(node)) : null;
        const read = handed === null ? null : readAt(node, handed);
        if (read !== null) out.push(read);
        const from = object === null ? null : stretchFrom(name, argumentsOf(node));
        if (object !== null && from !== null)
          out.push({ kind: "element", node, container: this.key(object), index: this.key(from) });
        return;
      }
    });
  }

  #ofName(node: Node, out: Read[], seen: Set<unknown>, queue: Node[]): void {
    if (isPropertyPosition(node)) return;
    const binding = this.facts.scopes.resolve(node);
    if (binding === null) return;
    if (binding.kind === "param") out.push(...this.#handedIn(node, binding));
    const met = seen.has(binding);
    seen.add(binding);
    if (!met)
      for (const { expression, path, kind } of binding.definitions) {
        // a loop counter carries no content
        if (kind !== "element" && !path.includes("[key]") && !isFunction(bare(expression)))
          queue.push(expression);
        // `const { adj = 0 } = node`, `for (const { adj = 0 } of nodes)`
        const holder = kind === "initial" ? partHolder(this.key(expression), path) : null;
        if (holder !== null) out.push({ kind: "field", node, object: holder, name: path.at(-1)!.slice(1) });
      }
    this.#storedInto(node, binding, seen, queue);
  }

  /** What was stored into parts of the value that may be the part that is read here. */
  #storedInto(node: Node, binding: Binding, seen: Set<unknown>, queue: Node[]): void {
    const stores = storesInto(this.facts, binding);
    if (stores.length === 0) return;
    const fields = fieldsOf(node);
    // one look for each spelling of a part
    const spelled = `${binding.id}.${fields.join(".")}`;
    if (seen.has(spelled)) return;
    seen.add(spelled);
    for (const { fields: written, expression } of stores)
      if (mayMeet(fields, written) && !isFunction(bare(expression))) queue.push(expression);
  }

  /** A parameter; a part of one that is taken apart is a field of it, too. */
  #handedIn(node: Node, binding: Binding): readonly Read[] {
    const whole: Read = { kind: "param", node, binding };
    const key = binding.pattern === null ? null : this.#alias(binding);
    const field = key === null ? null : /^(.*)\.([\w$#]+)$/.exec(key);
    return field === null ? [whole] : [{ kind: "field", node, object: field[1], name: field[2] }, whole];
  }

  /** `full(shape, g)`: the filled-in value is content. */
  #isContent(argument: Node): boolean {
    const inner = bare(argument);
    if (inner.type === "Literal" || inner.type === "ArrayExpression") return false;
    if (isMember(inner)) return !FORM.has(propertyName(inner) ?? "") && propertyName(inner) === null;
    return false;
  }
}

export const valuesOf = (facts: FileFacts): Values => facts.once("values", (file) => new Values(file));
