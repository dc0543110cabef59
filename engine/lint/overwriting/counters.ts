/** Counters of loops, how far they run, and what an expression comes to as a sum over them. */
import type { FileFacts } from "../facts.js";
import { updatesOf } from "../lookups.js";
import type { Loop } from "../reverse.js";
import type { Binding } from "../scopes.js";
import {
  bare,
  calleeName,
  child,
  children,
  isFunction,
  isMember,
  literal,
  propertyName,
  within,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { atom, constant, numberOf, plus, times, type Sum } from "./sums.js";

export interface Counting {
  readonly loop: Loop;
  readonly name: string;
  /** how far one turn moves the counter: a number, or null when it is not one */
  readonly step: number | null;
  /** what the counter stays below, as a sum; null when it is not seen */
  readonly bound: Sum | null;
}

const DEEPEST = 8;

/** The index as a sum over the counters of loops around it; loops without one are left out. */
export function sumOfCounters(
  facts: FileFacts,
  index: Node,
  between: readonly Loop[],
): { readonly sum: Sum; readonly loops: readonly Counting[] } | null {
  const counters = new Map<Binding, string>();
  between.forEach((loop, at) => {
    const counter = counterOf(facts, loop);
    if (counter !== null) counters.set(counter, `#${at}`);
  });
  const around = { counters, between };
  const sum = sumOf(facts, index, around, 0);
  const named = new Set(counters.values());
  return sum === null
    ? null
    : {
        sum,
        loops: between.flatMap((loop, at) =>
          named.has(`#${at}`) ? [counting(facts, loop, `#${at}`, around)] : [],
        ),
      };
}

interface Around {
  readonly counters: ReadonlyMap<Binding, string>;
  readonly between: readonly Loop[];
}

function sumOf(facts: FileFacts, node: Node, around: Around, depth: number): Sum | null {
  const inner = bare(node);
  const number = literal(inner);
  if (typeof number === "number") return Number.isInteger(number) ? constant(number) : null;
  if (depth > DEEPEST) return null;
  if (inner.type === "BinaryExpression") {
    const [left, right] = [child(inner, "left")!, child(inner, "right")!].map((side) =>
      sumOf(facts, side, around, depth + 1),
    );
    if (left === null || right === null) return null;
    switch (inner.operator) {
      case "+":
      case "|":
        return plus(left, right, 1);
      case "-":
        return plus(left, right, -1);
      case "*":
        return times(left, right);
      case "<<": {
        const by = numberOf(right);
        return by === null || by < 0 || by > 20 ? null : times(left, constant(2 ** by));
      }
    }
    return null;
  }
  if (inner.type === "Identifier") return ofName(facts, inner, around, depth);
  return isMember(inner) && isFixed(facts, inner, around.between) ? atom(valuesOf(facts).key(inner)) : null;
}

function ofName(facts: FileFacts, name: Node, around: Around, depth: number): Sum | null {
  const binding = facts.scopes.resolve(name);
  if (binding === null) return null;
  const counter = around.counters.get(binding);
  if (counter !== undefined) return atom(counter);
  const [made, ...more] = binding.definitions;
  const single =
    binding.kind === "variable" &&
    made !== undefined &&
    more.length === 0 &&
    updatesOf(facts, binding).length === 0;
  if (single && made.path.length === 0) {
    const sum = sumOf(facts, made.expression, around, depth + 1);
    if (sum !== null) return sum;
  }
  return isFixed(facts, name, around.between) ? atom(valuesOf(facts).key(name)) : null;
}

/** Nothing of it is of one turn: its root is older than the loops, and none of them changes it. */
function isFixed(facts: FileFacts, place: Node, between: readonly Loop[]): boolean {
  let at = place;
  while (isMember(at)) {
    if (propertyName(at) === null && literal(child(at, "property")!) === undefined) return false;
    at = bare(child(at, "object")!);
  }
  if (at.type === "ThisExpression") return true;
  const binding = at.type === "Identifier" ? facts.scopes.resolve(at) : null;
  if (binding === null) return false;
  const changes = [
    binding.declaration,
    ...updatesOf(facts, binding),
    ...binding.definitions.map((definition) => definition.at),
  ];
  return between.every(({ node }) => changes.every((change) => !within(change, node)));
}

/** What a loop counts: the variable of a counting loop, the index of a callback. */
function counterOf(facts: FileFacts, { node, counter }: Loop): Binding | null {
  if (isFunction(node)) {
    const index = children(node, "params")[1];
    return index == null || index.type !== "Identifier" ? null : facts.scopes.resolve(index);
  }
  if (node.type === "ForOfStatement") return placeInEntries(facts, node);
  if (counter === null || node.type !== "ForStatement") return null;
  const init = child(node, "init");
  const declared = init?.type === "VariableDeclaration" ? children(init, "declarations")[0] : null;
  const name = declared == null ? (init === null ? null : child(init, "left")) : child(declared, "id");
  const binding = name === null || name.type !== "Identifier" ? null : facts.scopes.resolve(name);
  // what the body moves, too, is no plain counter
  const moved =
    binding !== null && updatesOf(facts, binding).some((one) => within(one, child(node, "body")!));
  return moved ? null : binding;
}

/** `i` of `for (const [i, x] of xs.entries())`. */
function placeInEntries(facts: FileFacts, loop: Node): Binding | null {
  const left = child(loop, "left")!;
  const declared = left.type === "VariableDeclaration" ? children(left, "declarations")[0] : null;
  const pattern = declared == null ? null : child(declared, "id");
  if (calleeName(bare(child(loop, "right")!)) !== "entries" || pattern?.type !== "ArrayPattern") return null;
  const index = children(pattern, "elements")[0];
  return index == null || index.type !== "Identifier" ? null : facts.scopes.resolve(index);
}

function counting(facts: FileFacts, loop: Loop, name: string, around: Around): Counting {
  if (loop.node.type !== "ForStatement") return { loop, name, step: 1, bound: null };
  const update = child(loop.node, "update");
  const moved = update === null ? null : bare(update);
  const step =
    moved?.type === "UpdateExpression"
      ? 1
      : moved?.type === "AssignmentExpression" && /^[+-]=$/.test(String(moved.operator))
        ? literal(child(moved, "right")!)
        : null;
  return {
    loop,
    name,
    step: typeof step === "number" ? step : null,
    bound: boundOf(facts, loop, around),
  };
}

/** `i < n` and `i <= n - 1` stay below `n`, and so does what counts down from `n - 1`; null: not seen, or from below zero on. */
function boundOf(facts: FileFacts, loop: Loop, around: Around): Sum | null {
  const init = child(loop.node, "init");
  const declared = init?.type === "VariableDeclaration" ? children(init, "declarations")[0] : init;
  const start = declared == null ? null : (child(declared, "init") ?? child(declared, "right"));
  if (start === null) return null;
  const one = constant(1);
  if (loop.reverse) {
    const first = sumOf(facts, start, around, 0);
    return first === null ? null : plus(first, one, 1);
  }
  const from = literal(start);
  const test = child(loop.node, "test");
  const compared = test === null ? null : bare(test);
  if ((typeof from === "number" && from < 0) || compared?.type !== "BinaryExpression") return null;
  const limit = sumOf(facts, child(compared, "right")!, around, 0);
  if (limit === null || !/^(?:<=?|!==?)$/.test(String(compared.operator))) return null;
  return compared.operator === "<=" ? plus(limit, one, 1) : limit;
}
