/**
 * Names that a tensor does not have. Reading one would give `undefined`, and arithmetic with that NaN, or a loop over no
 * elements at all: so an index, `length` and a slip of the pen are refused with what was meant. Other names stay undefined, as
 * on any object: code looks for `then` and the like to find out what it has before it.
 */
import { BacksweepError } from "../trace/failure.js";
import { Tensor } from "../tape/tensor.js";

/** What programs of other libraries and lists of numbers call it. */
const instead: Readonly<Record<string, string>> = {
  length: "size counts its elements, shape[0] the entries of its first axis",
  T: "transpose() is its method",
  ndim: "rank is the number of its axes",
  map: "its own methods work element by element (x.sin(), x.mul(y)); element(i) is one element",
  forEach: "element(i) is one element, toArray() all of them as plain numbers",
  reduce: "sum(), prod(), max(), min() and mean() are its reductions",
  filter: "where(mask, a, b) chooses element by element",
  matMul: "matmul() is its method",
};

/** Insertions, deletions, replacements and swaps of neighbours that make b of a (Damerau 1964), as far as `most`. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return Infinity;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        next[j] = Math.min(next[j], before[j - 2] + 1);
    }
    before = row;
    row = next;
  }
  return row[b.length];
}

/** The method or property that may have been meant. */
function near(name: string): string | undefined {
  if (name.length < 4) return undefined;
  const most = name.length < 6 ? 1 : 2;
  const known = Object.getOwnPropertyNames(Tensor.prototype);
  return known.find((one) => one.length > 2 && distance(name.toLowerCase(), one.toLowerCase(), most) <= most);
}

function refuse(name: string): void {
  const index = /^\d+$/.test(name);
  const meant = index
    ? `element(${name}) is a number of it, at(${name}) an entry of its first axis`
    : instead[name];
  const slip = meant === undefined ? near(name) : undefined;
  if (meant === undefined && slip === undefined) return;
  const said = meant ?? `did you mean ${slip}?`;
  throw new BacksweepError("definition", `a Tensor has no ${index ? `[${name}]` : name}: ${said}`);
}

const names = new Proxy(Object.prototype, {
  get(target, key, receiver): unknown {
    if (typeof key === "string" && !(key in target)) refuse(key);
    return Reflect.get(target, key, receiver);
  },
});

Object.setPrototypeOf(Tensor.prototype, names);
