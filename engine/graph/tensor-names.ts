/**
 * Names that a tensor does not have. Reading one would give `undefined`, and arithmetic with that NaN, or a loop over no
 * elements at all: so an index, `length` and a slip of the pen are refused with what was meant. Other names stay undefined, as
 * on any object: code looks for `then` and the like to find out what it has before it.
 */
import { BacksweepError } from "../trace/failure.js";
import { near } from "./slip.js";
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

function refuse(name: string): void {
  const index = /^\d+$/.test(name);
  const meant = index
    ? `element(${name}) is a number of it, at(${name}) an entry of its first axis`
    : instead[name];
  const slip = meant === undefined ? near(name, Object.getOwnPropertyNames(Tensor.prototype)) : undefined;
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
