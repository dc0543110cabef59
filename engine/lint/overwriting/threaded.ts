/**
 * Pullbacks that hand a record of gradients through: `(c, acc) => db(c * a, da(c * b, acc))`. The one that ends at a variable
 * puts the cotangent that it is handed into the record, and has to add it to what is there.
 */
import { adds } from "../adds.js";
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { operationOf } from "../operations.js";
import type { Binding } from "../scopes.js";
import { argumentsOf, bare, isCall, walk, type Node } from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { eachPart, multiplies } from "./parts.js";
import { rootOf } from "./exclusions.js";

/** Writes of a bare parameter into an entry of another one, in a closure among others that scale the one and hand the other on. */
export function* threadedWrites(facts: FileFacts): Iterable<Write> {
  if (facts.names.minified) return;
  for (const write of writesOf(facts)) {
    if (!/^(?:assign|object-assign|map-set|spread)$/.test(write.form)) continue;
    // an entry under a name from outside of the closure: the variable that the pullback ends at
    if (write.container === "" || write.object !== null || write.index === null) continue;
    const fn = facts.home(write.node);
    const operation = fn === null ? null : operationOf(facts, fn);
    if (fn === null || operation === null || !operation.linked) continue;
    const cotangent = indexOf(facts, fn, facts.binding(write.value));
    const root = rootOf(write.target);
    const record = root === null ? -1 : indexOf(facts, fn, facts.binding(root));
    if (cotangent === -1 || record === -1 || cotangent === record) continue;
    if (mentionsOwn(facts, write.index, fn)) continue;
    if (adds(facts, write.value, { keys: new Set([`${write.container}[${write.indexKey}]`]) })) continue;
    if (threading(facts).has(`${cotangent} ${record} ${fn.params.length}`)) yield write;
  }
}

function indexOf(facts: FileFacts, fn: Fn, binding: Binding | null): number {
  return binding?.kind !== "param" ? -1 : fn.params.findIndex((param) => facts.binding(param) === binding);
}

function mentionsOwn(facts: FileFacts, node: Node, fn: Fn): boolean {
  let own = false;
  walk(node, (part) => {
    const binding = part.type === "Identifier" ? facts.scopes.resolve(part) : null;
    own ||= binding !== null && facts.scopes.declaredIn(binding, fn.node);
  });
  return own;
}

/** Positions of cotangent and record, and the number of parameters, of closures that scale the one and hand the other on. */
const threading = (facts: FileFacts): ReadonlySet<string> =>
  facts.once("threading", (file) => {
    const found = new Set<string>();
    for (const call of file.calls) {
      const args = argumentsOf(call);
      const fn = file.home(call);
      if (fn === null || args.length < 2 || fn.params.length !== args.length) continue;
      if (operationOf(file, fn)?.linked !== true) continue;
      for (const [at, argument] of args.entries()) {
        if (!multiplies(file, argument) || !reads(file, argument, fn, at)) continue;
        for (const [other, record] of args.entries())
          if (
            other !== at &&
            (facts.binding(record) !== null || isCall(bare(record))) &&
            reads(file, record, fn, other)
          )
            found.add(`${at} ${other} ${args.length}`);
      }
    }
    return found;
  });

/** The argument is made of the function's own parameter at the same place. */
function reads(facts: FileFacts, argument: Node, fn: Fn, at: number): boolean {
  const param = fn.params[at];
  const binding = param === undefined ? null : facts.binding(param);
  if (binding === null) return false;
  let found = false;
  eachPart(facts, argument, (node) => {
    found ||= node.type === "Identifier" && facts.scopes.resolve(node) === binding;
  });
  return found || valuesOf(facts).key(argument) === `${binding.name}~${binding.id}`;
}
