/**
 * What a loop or a comprehension walks: `zip`, `enumerate`, `reversed`, `items` and `range` taken apart, so that each target
 * is an element of its own list.
 */
import type { Node } from "../tree.js";
import { behind, declare, literalOf, make, method, name, type Lowering, type Scope } from "./lowering.js";
import { named, part, unwrapped, type Syntax } from "./syntax.js";

export interface Walked {
  /** what is bound to an element of the list, null: nothing */
  readonly target: Syntax | null;
  /** the list */
  readonly list: Node;
  /** declarations of the other targets, to be run with each element */
  readonly more: readonly Node[];
}

/** The called function's name and arguments when it is a plain call of a built-in, null otherwise. */
export function builtInCall(
  low: Lowering,
  node: Syntax,
): { readonly name: string; readonly args: readonly Syntax[] } | null {
  const callee = node.type === "call" ? part(node, "function") : null;
  const list = part(node, "arguments");
  if (callee?.type !== "identifier" || list === null || list.type !== "argument_list") return null;
  const id = low.source(callee);
  return low.isBuiltIn(id) ? { name: id, args: named(list) } : null;
}

/** The parts of a tuple of targets, null for anything else. */
export function targetsOf(node: Syntax): readonly Syntax[] | null {
  const inner = unwrapped(node);
  return /^(?:pattern_list|tuple_pattern|list_pattern|tuple|list|expression_list)$/.test(inner.type)
    ? named(inner)
    : null;
}

/** Names of a target, bound in a scope. */
export function bindTargets(low: Lowering, target: Syntax, scope: Scope): void {
  const parts = targetsOf(target);
  if (parts !== null) for (const one of parts) bindTargets(low, one, scope);
  else if (target.type === "identifier") scope.names.add(low.source(target));
  else if (/splat/.test(target.type)) for (const one of named(target)) bindTargets(low, one, scope);
}

/** The pattern of a target as the rules' tree spells it. */
export function patternOf(low: Lowering, target: Syntax): Node {
  const parts = targetsOf(target);
  if (parts !== null)
    return make("ArrayPattern", target, { elements: parts.map((one) => patternOf(low, one)) });
  if (/splat/.test(target.type)) {
    const [inner] = named(target);
    return make("RestElement", target, {
      argument: inner === undefined ? name("rest", target) : patternOf(low, inner),
    });
  }
  return target.type === "identifier" ? name(low.source(target), target) : low.expression(target);
}

export function walkedBy(low: Lowering, target: Syntax, iterated: Syntax, depth = 0): Walked {
  const node = unwrapped(iterated);
  const plain = (): Walked => ({ target, list: low.expression(node), more: [] });
  if (depth > 20) return plain();
  const parts = targetsOf(target);
  const built = builtInCall(low, node);
  if (built === null) {
    const items = itemsOf(low, node);
    return items === null || parts?.length !== 2 ? plain() : { target, list: items, more: [] };
  }
  const { name: id, args } = built;
  if (args.some(({ type }) => /splat|keyword/.test(type))) return plain();
  if (id === "enumerate" && args.length > 0 && parts?.length === 2) {
    const [counter, element] = parts;
    const inner = walkedBy(low, element, args[0], depth + 1);
    return counter.type === "identifier"
      ? { ...inner, more: [...inner.more, declare("let", patternOf(low, counter), null, counter)] }
      : inner;
  }
  if (id === "zip" && args.length > 0 && parts?.length === args.length) {
    const first = walkedBy(low, parts[0], args[0], depth + 1);
    const others = parts.slice(1).flatMap((one, i) => {
      const inner = walkedBy(low, one, args[i + 1], depth + 1);
      return inner.target === null
        ? inner.more
        : [
            declare("let", patternOf(low, inner.target), method(inner.list, "at", [], behind(one)), one),
            ...inner.more,
          ];
    });
    return { ...first, more: [...first.more, ...others] };
  }
  if ((id === "list" || id === "tuple" || id === "iter") && args.length === 1)
    return walkedBy(low, target, args[0], depth + 1);
  if (id === "reversed" && args.length === 1 && parts !== null) {
    const inner = walkedBy(low, target, args[0], depth + 1);
    return { ...inner, list: method(inner.list, "toReversed", [], node) };
  }
  return plain();
}

/** `d.items()`: the dictionary itself, which is walked by pairs. */
function itemsOf(low: Lowering, node: Syntax): Node | null {
  const callee = node.type === "call" ? part(node, "function") : null;
  const object = callee === null ? null : part(callee, "object");
  const field = callee === null ? null : part(callee, "attribute");
  if (object === null || field === null || !/^(?:iter)?items$/.test(low.source(field))) return null;
  return low.expression(object);
}

export interface Counted {
  readonly from: Node;
  readonly to: Node | null;
  readonly down: boolean;
}

/** `range(n)`, `range(a, b)`, `range(n - 1, -1, -1)`, `reversed(range(n))`; null for anything else. */
export function countedBy(low: Lowering, iterated: Syntax): Counted | null {
  const node = unwrapped(iterated);
  const built = builtInCall(low, node);
  if (built === null) return null;
  if (built.name === "reversed" && built.args.length === 1) {
    const inner = countedBy(low, built.args[0]);
    return inner === null || inner.to === null
      ? null
      : {
          from: make("BinaryExpression", node, {
            operator: "-",
            left: inner.to,
            right: literalOf(1, behind(node)),
          }),
          to: inner.from,
          down: !inner.down,
        };
  }
  if (!/^x?range$/.test(built.name) || built.args.length === 0 || built.args.length > 3) return null;
  const args = built.args.map((one) => low.expression(one));
  if (args.length === 1) return { from: literalOf(0, behind(node)), to: args[0], down: false };
  const down = args.length === 3 && /^-/.test(low.source(built.args[2]));
  return { from: args[0], to: args[1], down };
}
