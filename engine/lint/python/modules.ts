/** Functions of well-known modules that write, copy or keep order: NumPy and its kin, heapq, collections, functools, copy. */
import type { Node } from "../tree.js";
import { keyword, lowered } from "./arguments.js";
import { bound, builtIn } from "./builtins.js";
import { assign, entry, make, method, name, type Lowering } from "./lowering.js";
import { indexNode } from "./subscripts.js";
import { named, unwrapped, type Syntax } from "./syntax.js";

const ARRAYS = /^(?:np|numpy|onp|anp|cp|cupy|jnp|xp|nx|torch|mx)$/;
/** Give the same numbers in an array of their own. */
const SAME_NUMBERS =
  /^(?:array|asarray|asanyarray|ascontiguousarray|asfarray|copy|float16|float32|float64|tensor|as_tensor|squeeze|atleast_[123]d)$/;

/** Null: no function of these modules, or nothing is known of it. */
export function moduleCall(
  low: Lowering,
  node: Syntax,
  callee: Syntax,
  args: readonly Syntax[],
): Node | null {
  const path = low.source(callee).replace(/\s+/g, "").split(".");
  if (path.length < 2 || !/^[a-z]\w*$/i.test(path[0])) return null;
  const fn = path[path.length - 1];
  const [root] = path;
  if (ARRAYS.test(root)) return ofArrays(low, node, path, args);
  if (path.length > 2) return null;
  if (root === "heapq") return ofHeap(low, node, fn, args);
  if (root === "math" || root === "cmath") return method(name("Math", callee), fn, lowered(low, args), node);
  if ((root === "collections" || root === "weakref") && low.isBuiltIn(fn))
    return builtIn(low, node, fn, args);
  if (root === "functools" && fn === "partial") return bound(low, node, args);
  if (root === "copy" && /copy$/.test(fn) && args.length === 1) return low.expression(args[0]);
  return null;
}

function ofArrays(
  low: Lowering,
  node: Syntax,
  path: readonly string[],
  args: readonly Syntax[],
): Node | null {
  const fn = path[path.length - 1];
  const plain = args.filter(({ type }) => !/keyword|splat/.test(type));
  if (fn === "at" && path.length === 3 && plain.length >= 3) {
    // `np.add.at(grad, index, values)` adds up what several places of the index share
    const target = entry(low.expression(plain[0]), indexNode(low, indicesOf(plain[1])), {
      start: plain[0].start,
      end: plain[1].end,
    });
    const operator = /^(?:add|subtract)$/.test(path[1]) ? "+=" : "=";
    return assign(target, low.expression(plain[2]), node, operator);
  }
  if (path.length !== 2) return null;
  const out = keyword(low, args, "out");
  if (out !== null && /^(?:add|subtract)$/.test(fn) && plain.length === 2)
    return assign(
      low.expression(out),
      make("BinaryExpression", node, {
        operator: "+",
        left: low.expression(plain[0]),
        right: low.expression(plain[1]),
      }),
      node,
    );
  if (fn === "copyto" && plain.length === 2)
    return method(low.expression(plain[0]), "set", [low.expression(plain[1])], node);
  if (SAME_NUMBERS.test(fn) && plain.length > 0) return low.expression(plain[0]);
  return null;
}

function ofHeap(low: Lowering, node: Syntax, fn: string, args: readonly Syntax[]): Node | null {
  const [heap, value] = args;
  if (heap === undefined) return null;
  if (fn === "heappush" && value !== undefined)
    return method(low.expression(heap), "push", [low.expression(value)], node);
  // the smallest comes first, whatever the order of the pushes
  if (fn === "heappop") return method(method(low.expression(heap), "sort", [], node), "shift", [], node);
  return null;
}

const indicesOf = (index: Syntax): readonly Syntax[] => {
  const inner = unwrapped(index);
  return inner.type === "tuple" && named(inner).length > 0 ? named(inner) : [inner];
};
