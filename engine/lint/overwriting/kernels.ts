/**
 * Kernels that are handed the gradient buffers of their operands: `mul_bwd(n, dy, a, b, da, db) { ... da[i] += dy[i] * b[i]; }`.
 * One that stores into such a buffer, where the others add into theirs place by place, loses what another use paid before.
 */
import { adds, slotOf } from "../adds.js";
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import type { Binding } from "../scopes.js";
import { bare, child, isMember, type Node } from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { isBackward } from "./entries.js";
import { guarded, writesFrom } from "./guards.js";
import { countedIndex } from "./indices.js";
import { isBlank, paramName } from "./slots.js";

/** `dx`, `dInput`, `gradA`, `a_grad`: a parameter that gradients go into. */
const handedGradient = (facts: FileFacts, name: string): boolean =>
  facts.names.gradient(name) > 0 || /^d(?:[a-z]|in|out|inp|src|left|right|lhs|rhs)\d?$/.test(name);

interface Filling {
  readonly write: Write;
  readonly home: Fn;
  readonly buffer: Binding;
}

/** Stores of backward kernels into buffers that they are handed, with the adding ones of other kernels. */
export const storingKernels = (facts: FileFacts): ReadonlyMap<Write, readonly Write[]> =>
  facts.once("storing kernels", (file) => {
    const out = new Map<Write, readonly Write[]>();
    if (file.names.minified) return out;
    const all = fillings(file);
    const adding = all.filter((one) => one.write.form === "add" && eachPlaceOnce(file, one));
    if (adding.length === 0) return out;
    for (const one of all) {
      if (one.write.form === "add" || !carries(file, one) || isOwned(file, one)) continue;
      const others = adding.filter(({ home }) => home !== one.home);
      const alike = others.filter(({ buffer }) => buffer.name === one.buffer.name);
      const kernels = new Set(others.map(({ home }) => home));
      if (alike.length === 0 && kernels.size < 2) continue;
      out.set(
        one.write,
        (alike.length > 0 ? alike : others).map(({ write }) => write),
      );
    }
    return out;
  });

function fillings(facts: FileFacts): readonly Filling[] {
  const out: Filling[] = [];
  for (const write of writesOf(facts)) {
    if (
      write.object !== null ||
      !write.element ||
      !/^(?:assign|add|buffer-set|buffer-fill)$/.test(write.form)
    )
      continue;
    const home = facts.home(write.node);
    if (home === null || !isBackward(facts, home) || home.returns.length > 0) continue;
    const buffer = rootBinding(facts, write.target);
    const handed = home.params.some((param) => {
      const name = paramName(param);
      return name !== null && buffer !== null && facts.binding(name) === buffer;
    });
    if (handed && buffer !== null && handedGradient(facts, buffer.name)) out.push({ write, home, buffer });
  }
  return out;
}

/** It adds at each place once a call: the sum is over calls, not over what the kernel itself goes through. */
function eachPlaceOnce(facts: FileFacts, one: Filling): boolean {
  const { write, home } = one;
  if (write.index === null || countedIndex(facts, write.index, home.node) === null) return false;
  return !isOwned(facts, one);
}

/** The kernel clears the buffer itself, or stores and adds: it is its own. */
const isOwned = (facts: FileFacts, { write, home }: Filling): boolean =>
  writesFrom(facts, home).some(
    (other) =>
      other !== write &&
      other.container === write.container &&
      (isBlank(facts, other.value) || (other.form === "add") !== (write.form === "add")),
  );

/** What is stored comes from what the kernel is handed, and takes the place of what was there. */
function carries(facts: FileFacts, { write, home, buffer }: Filling): boolean {
  if (isBlank(facts, write.value)) return false;
  const old = slotOf(write, (name) => [name]);
  if (adds(facts, write.value, old) || guarded(facts, write, home)) return false;
  return valuesOf(facts)
    .reads(write.value)
    .some(
      (read) =>
        read.kind === "param" &&
        read.binding !== buffer &&
        handedGradient(facts, read.binding.name) &&
        facts.scopes.declaredIn(read.binding, home.node),
    );
}

function rootBinding(facts: FileFacts, target: Node): Binding | null {
  let at = bare(target);
  while (isMember(at)) at = bare(child(at, "object")!);
  return at.type === "Identifier" ? facts.binding(at) : null;
}
