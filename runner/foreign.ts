/**
 * Code that is not rewritten (packages, under --allow-imports) sees primals: a traced number handed to one of its
 * functions arrives as the plain number, and the cut is noted at the call. Without this its `typeof`, `===` and truth
 * tests would take the traced number for an object, without a word.
 */
import { cutInCall } from "../engine/compile/runtime/notes.js";
import { call } from "../engine/tape/callsite.js";
import { isTraced } from "../engine/tape/traced.js";

function plain(args: unknown[]): unknown[] {
  if (!args.some(isTraced)) return args;
  return args.map((arg) =>
    isTraced(arg) ? cutInCall(arg, call.site, "handed to code that is not traced") : arg,
  );
}

const handler: ProxyHandler<(...args: unknown[]) => unknown> = {
  apply: (target, self, args: unknown[]) =>
    Reflect.apply(target, isTraced(self) ? Number(self) : self, plain(args)) as unknown,
};

/** The exports of a foreign module, its functions guarded. Classes stay as they are: their statics may be private. */
export function guarded(namespace: object): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(namespace)) {
    const isFunction =
      typeof value === "function" && !/^class\b/.test(Function.prototype.toString.call(value));
    out[name] = isFunction ? new Proxy(value as (...args: unknown[]) => unknown, handler) : value;
  }
  return out;
}
