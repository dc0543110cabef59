/** Names one slot goes by, and values that are no contribution. */
import { methodsNamed } from "../local.js";
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { isOne } from "../reverse.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  identifier,
  isCall,
  isFunction,
  isMember,
  keyName,
  propertyName,
  receiver,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf } from "../writes.js";

/** Accessors and the fields behind them: `get grad() { return this._grad }` makes both one slot. */
export class SlotNames {
  readonly #canonical = new Map<string, string>();
  readonly #groups = new Map<string, string[]>();
  /** names whose setter adds: a plain assignment accumulates */
  readonly addingSetters = new Set<string>();
  /** setter functions */
  readonly setters = new Set<Fn>();

  constructor(facts: FileFacts) {
    for (const fn of facts.functions) {
      if (fn.kind === "get" || (fn.kind === "method" && fn.params.length === 0 && fn.returns.length === 1))
        for (const value of fn.returns) {
          const field = ownField(value);
          if (field !== null) this.#join(fn.name, field);
        }
      if (fn.kind === "set") this.setters.add(fn);
    }
    for (const write of writesOf(facts)) {
      const home = facts.home(write.node);
      if (home === null || !this.setters.has(home) || write.objectKey !== "this") continue;
      this.#join(home.name, write.name);
      const value = bare(write.value);
      const adding = write.form === "add" || (value.type === "BinaryExpression" && value.operator === "+");
      if (adding) this.addingSetters.add(home.name);
    }
  }

  #join(a: string, b: string): void {
    const to = this.canonical(b);
    const from = this.canonical(a);
    if (from === to) return;
    const all = [...(this.#groups.get(to) ?? [to]), ...(this.#groups.get(from) ?? [from])];
    this.#groups.set(to, all);
    for (const name of all) this.#canonical.set(name, to);
  }

  canonical(name: string): string {
    return this.#canonical.get(name) ?? name;
  }

  same(name: string): readonly string[] {
    return this.#groups.get(this.canonical(name)) ?? [name];
  }
}

/** `this.field`, `this.field ?? 0`, `this.field ??= zeros` give the field. */
function ownField(value: Node): string | null {
  let inner = bare(value);
  if (inner.type === "LogicalExpression") inner = bare(child(inner, "left")!);
  if (inner.type === "AssignmentExpression") inner = bare(child(inner, "left")!);
  if (!isMember(inner)) return null;
  const object = bare(child(inner, "object")!);
  return object.type === "ThisExpression" ? propertyName(inner) : null;
}

const BLANK_CALL =
  /^(?:zeros?|ones?|empty|full|alloc\w*|constant|scalar|undefined)(?:_?[lL]ike|Of|Array|Matrix|Tensor|Buffer|Grad)?$|^(?:make|new|create|get|init|build)_?(?:Zero|Empty|Ones?|Buffer)|zeros|zero(?:s|Grad|Like)|onesLike|ones_like/i;

/** Constants, fresh buffers, nothing: what initialises, seeds and resets, and never is a contribution. */
export function isBlank(facts: FileFacts, node: Node, depth = 0): boolean {
  const inner = bare(node);
  const every = (...parts: (Node | null)[]): boolean =>
    depth < 8 && parts.every((part) => part === null || isBlank(facts, part, depth + 1));
  switch (inner.type) {
    case "Literal":
    case "TemplateLiteral":
      return true;
    case "UnaryExpression":
      return inner.operator === "void" || every(child(inner, "argument"));
    case "Identifier": {
      if (inner.name === "undefined" || inner.name === "NaN" || inner.name === "Infinity") return true;
      const binding = facts.scopes.resolve(inner);
      return (
        binding !== null &&
        binding.kind === "variable" &&
        binding.definitions.length === 1 &&
        binding.definitions[0].path.length === 0 &&
        every(binding.definitions[0].expression)
      );
    }
    case "ArrayExpression":
      return every(...children(inner, "elements"));
    case "ObjectExpression":
      return children(inner, "properties").every(
        (p) => p !== null && p.type === "Property" && every(child(p, "value")),
      );
    case "ConditionalExpression":
      return every(child(inner, "consequent"), child(inner, "alternate"));
    case "LogicalExpression":
      return every(child(inner, "left"), child(inner, "right"));
    case "AssignmentExpression":
      return every(child(inner, "right"));
    case "NewExpression":
      return blankMaking(facts, inner);
  }
  if (!isCall(inner)) return false;
  const name = calleeName(inner) ?? "";
  const object = receiver(inner);
  const args = argumentsOf(inner);
  if (BLANK_CALL.test(name))
    return object === null || !/^full$/.test(name) || args.length < 2 || every(args[1]);
  if (name === "fill")
    return object !== null && (args.length === 0 || every(args[0])) && freshOrBlank(facts, object);
  if (name === "map" || (name === "from" && args.length > 1)) {
    const callback = args.at(-1);
    return (
      callback !== undefined &&
      isFunction(callback) &&
      every(...(facts.functionOf(callback)?.returns ?? [inner.parent ?? null]))
    );
  }
  if (/^Array$|Array$/.test(name) && object === null) return true;
  return false;
}

function freshOrBlank(facts: FileFacts, node: Node): boolean {
  const inner = bare(node);
  return isBlank(facts, inner) || inner.type === "NewExpression" || isCall(inner);
}

/** `new Float64Array(n)`, `new Map()`, `new Tensor(shape)`: nothing in it comes from a gradient. */
function blankMaking(facts: FileFacts, node: Node): boolean {
  return !valuesOf(facts)
    .reads(node)
    .some(
      (read) =>
        facts.names.gradient(
          read.kind === "field" ? read.name : read.kind === "param" ? read.binding.name : "",
        ) > 0 || read.kind === "element",
    );
}

/** Functions that hand a slot's old value out: `x.getGrad()`. */
export function readsSlot(facts: FileFacts, call: Node, names: SlotNames, canonical: string): boolean {
  const name = calleeName(call);
  if (name === null || argumentsOf(call).length > 0) return false;
  return (
    names.canonical(name) === canonical ||
    methodsNamed(facts, name).some((fn) => names.canonical(fn.name) === canonical)
  );
}

export const slotNamesOf = (facts: FileFacts): SlotNames =>
  facts.once("slot names", (file) => new SlotNames(file));

/** A parameter's plain name, through defaults. */
export function paramName(param: Node): Node | null {
  const inner =
    param.type === "AssignmentPattern"
      ? child(param, "left")!
      : param.type === "TSParameterProperty"
        ? child(param, "parameter")!
        : param;
  return identifier(inner) === null ? null : inner;
}

export interface Starts {
  /** canonical names of slots that start at nothing: 0, zeros, null, a fresh buffer */
  readonly blank: ReadonlySet<string>;
  /** of slots that one is stored into: the seed of a sweep */
  readonly one: ReadonlySet<string>;
}

/** The values of a map that is made with its pairs: the one of `new Map([[root, 1]])`. */
export function mapValues(init: Node): readonly Node[] {
  const made = bare(init);
  if (made.type !== "NewExpression" || calleeName(made) !== "Map") return [];
  return argumentsOf(made)
    .flatMap((list) => children(bare(list), "elements"))
    .flatMap((pair) => (pair === null ? [] : (children(bare(pair), "elements")[1] ?? [])));
}

/** How the slots of the file begin: fields, properties and plain stores of constants. */
export const startsOf = (facts: FileFacts): Starts =>
  facts.once("starts", (file) => {
    const names = slotNamesOf(file);
    const blank = new Set<string>();
    const one = new Set<string>();
    // only what is written somewhere is ever asked for
    const written = new Set(writesOf(file).flatMap(({ name }) => names.same(name)));
    const note = (name: string | null, value: Node | null): void => {
      if (name === null || name === "" || value === null || !written.has(name)) return;
      if (isOne(value)) one.add(names.canonical(name));
      else if (isBlank(file, value)) blank.add(names.canonical(name));
    };
    for (const field of file.fields)
      note(keyName(child(field, "key")!, field.computed === true), child(field, "value"));
    for (const object of file.objects)
      for (const property of children(object, "properties"))
        if (property?.type === "Property")
          note(keyName(child(property, "key")!, property.computed === true), child(property, "value"));
    for (const fn of file.functions)
      for (const param of fn.params) {
        const inner = param.type === "TSParameterProperty" ? child(param, "parameter")! : param;
        if (inner.type === "AssignmentPattern") note(identifier(child(inner, "left")), child(inner, "right"));
      }
    for (const declarator of file.declarators)
      note(identifier(child(declarator, "id")), child(declarator, "init"));
    for (const write of writesOf(file))
      if (write.form !== "add" && write.form !== "scale") note(write.name, write.value);
    for (const declarator of file.declarators) {
      const init = child(declarator, "init");
      const name = identifier(child(declarator, "id"));
      if (init !== null && name !== null && mapValues(init).some((value) => isOne(value)))
        one.add(names.canonical(name));
    }
    return { blank, one };
  });
