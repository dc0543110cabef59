/** What the lowering has to know of a whole file before it begins: classes, functions with their parameters, dictionaries. */
import { named, part, unwrapped, walkSyntax, type Syntax } from "./syntax.js";

export interface Outline {
  readonly classes: ReadonlySet<string>;
  /** names of parameters by function, for names that one function has */
  readonly params: ReadonlyMap<string, readonly string[]>;
  /** names the file defines as functions or classes: built-in functions of that name are not meant */
  readonly defined: ReadonlySet<string>;
  /** spellings of what holds a dictionary: `grads`, `self.grads` */
  readonly dictionaries: ReadonlySet<string>;
  /** of those a `Counter`, whose `update` adds */
  readonly counters: ReadonlySet<string>;
}

const MAKES_DICTIONARY =
  /^(?:(?:collections|typing|weakref)\.)?(?:dict|defaultdict|OrderedDict|Counter|WeakKeyDictionary)$/;
const DICTIONARY_TYPE = /(?:^|[^\w])(?:[dD]ict|DefaultDict|defaultdict|Mapping|MutableMapping|OrderedDict)\b/;
/** Methods that nothing but a dictionary has. */
const OF_DICTIONARIES = new Set(["items", "setdefault", "keys", "popitem"]);

export function outlineOf(root: Syntax, text: string): Outline {
  const classes = new Set<string>();
  const params = new Map<string, readonly string[]>();
  const twice = new Set<string>();
  const defined = new Set<string>();
  const dictionaries = new Set<string>();
  const counters = new Set<string>();
  const source = (node: Syntax | null): string => (node === null ? "" : text.slice(node.start, node.end));

  const note = (target: Syntax, value: Syntax | null, type: Syntax | null): void => {
    const spelled = spelling(target, text);
    if (spelled === null) return;
    if (type !== null && DICTIONARY_TYPE.test(source(type))) dictionaries.add(spelled);
    if (value === null || !makesDictionary(unwrapped(value), text)) return;
    dictionaries.add(spelled);
    const made = unwrapped(value);
    if (made.type === "call" && /(?:^|\.)Counter$/.test(source(part(made, "function"))))
      counters.add(spelled);
  };

  walkSyntax(root, (node) => {
    switch (node.type) {
      case "class_definition": {
        const name = source(part(node, "name"));
        classes.add(name);
        defined.add(name);
        return;
      }
      case "function_definition": {
        const name = source(part(node, "name"));
        const list = part(node, "parameters");
        const names = list === null ? [] : parameterNames(list, text);
        if (list !== null)
          for (const param of named(list))
            if (/typed/.test(param.type)) {
              const id = part(param, "name") ?? named(param)[0];
              if (id !== undefined) note(id, null, part(param, "type"));
            }
        if (params.has(name)) twice.add(name);
        params.set(name, names);
        defined.add(name);
        return;
      }
      case "assignment": {
        const left = part(node, "left");
        if (left !== null) note(left, part(node, "right"), part(node, "type"));
        const right = part(node, "right");
        if (left !== null && right !== null) noteEach(left, right);
        return;
      }
      case "call": {
        const callee = part(node, "function");
        if (callee?.type !== "attribute" || !OF_DICTIONARIES.has(source(part(callee, "attribute")))) return;
        const object = part(callee, "object");
        const spelled = object === null ? null : spelling(object, text);
        if (spelled !== null) dictionaries.add(spelled);
      }
    }
  });
  for (const name of twice) params.delete(name);
  return { classes, params, defined, dictionaries, counters };

  /** `xs, seen = {}, set()`: element by element. */
  function noteEach(left: Syntax, right: Syntax): void {
    if (!/list|tuple/.test(left.type) || !/list|tuple/.test(right.type)) return;
    const targets = named(left);
    const values = named(right);
    if (targets.length === values.length) targets.forEach((target, i) => note(target, values[i], null));
  }
}

/** A name, or a field of one: `grads`, `self.grads`. */
export function spelling(node: Syntax, text: string): string | null {
  const inner = unwrapped(node);
  if (inner.type === "identifier") return text.slice(inner.start, inner.end);
  if (inner.type !== "attribute") return null;
  const object = part(inner, "object");
  return object?.type === "identifier" ? text.slice(inner.start, inner.end).replace(/\s+/g, "") : null;
}

function makesDictionary(node: Syntax, text: string): boolean {
  if (node.type === "dictionary" || node.type === "dictionary_comprehension") return true;
  // `given or {}`, `{} if x is None else x`
  if (node.type === "boolean_operator" || node.type === "conditional_expression")
    return named(node).some((one) => one.type === "dictionary");
  const callee = node.type === "call" ? part(node, "function") : null;
  return callee !== null && MAKES_DICTIONARY.test(text.slice(callee.start, callee.end));
}

/** Names in the order of the list; separators and starred parameters end it. `self` is among them. */
export function parameterNames(list: Syntax, text: string): readonly string[] {
  const out: string[] = [];
  for (const param of named(list)) {
    if (param.type === "positional_separator") continue;
    if (param.type === "keyword_separator") continue;
    const id = param.type === "identifier" ? param : (part(param, "name") ?? named(param)[0]);
    if (id === undefined || id.type !== "identifier") break;
    out.push(text.slice(id.start, id.end));
  }
  return out;
}
