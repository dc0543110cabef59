/** Helpers that fill a buffer that they are handed with what they are handed. */
import { adds } from "../adds.js";
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { callsOf } from "../local.js";
import { argumentsOf, bare, child, isMember, propertyName, type Node } from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { ENOUGH, weigh, type Weighed } from "./evidence.js";
import { freshBuffer, rootOf } from "./exclusions.js";
import { guarded } from "./guards.js";
import { carrier, type HelperWrite } from "./helpers.js";
import { isBlank, paramName } from "./slots.js";

/**
 * Helpers that write what they are handed into a buffer that they are handed: `addTo(dst, src) { dst[i] = src[i]; }`, called
 * with a node's gradient.
 */
export function bufferHelpers(facts: FileFacts): readonly HelperWrite[] {
  const out: HelperWrite[] = [];
  if (facts.names.minified) return out;
  for (const write of writesOf(facts)) {
    if (write.object !== null || !/^(?:assign|buffer-set|buffer-fill)$/.test(write.form)) continue;
    const fn = facts.home(write.node);
    if (fn === null || fn.name === "" || fn.kind !== "function" || !write.element) continue;
    const into = paramAt(facts, fn, write.target);
    const carries = into === -1 ? -1 : carrier(facts, write, fn);
    if (carries === -1 || isBlank(facts, write.value)) continue;
    // last, since it looks at all that the function writes
    if (adds(facts, write.value, bufferOf(write)) || guarded(facts, write, fn)) continue;
    const calls: { node: Node; weighed: Weighed }[] = [];
    let others = 0;
    for (const node of callsOf(facts, fn)) {
      const weighed = weighBuffer(facts, node, write, into, carries);
      if (weighed === null) others++;
      else calls.push({ node, weighed });
    }
    if (calls.length === 0) continue;
    const judged = { write, verdict: "other", weighed: null, open: true, slot: write.name } as const;
    out.push({ judged, fn, carries, calls, general: others > 0 || facts.names.copying(fn.name) });
  }
  return out;
}

const bufferOf = (write: Write): { readonly keys: ReadonlySet<string> } => ({
  keys: new Set([`${write.container}[${write.indexKey}]`, write.container]),
});

/** Which parameter an element is written into; -1: none. */
function paramAt(facts: FileFacts, fn: Fn, target: Node): number {
  const root = rootOf(target);
  const binding = root === null || bare(root).type !== "Identifier" ? null : facts.binding(root);
  return fn.params.findIndex((param) => {
    const name = paramName(param);
    return name !== null && binding !== null && facts.binding(name) === binding;
  });
}

/** The call as a write of the whole buffer that is handed over, when that is the slot of a node that is paid. */
function weighBuffer(
  facts: FileFacts,
  call: Node,
  write: Write,
  into: number,
  carries: number,
): Weighed | null {
  const args = argumentsOf(call);
  const [target, value] = [args[into], args[carries]];
  if (target === undefined || value === undefined || isBlank(facts, value)) return null;
  const place = bare(target);
  const home = facts.home(call);
  if (!isMember(place) || home === null) return null;
  const name = propertyName(place);
  if (name === null || facts.names.gradient(name) === 0) return null;
  const object = child(place, "object")!;
  const values = valuesOf(facts);
  const whole: Write = {
    ...write,
    node: call,
    target: place,
    value,
    object,
    objectKey: values.key(object),
    name,
    element: true,
    container: values.key(place),
  };
  if (freshBuffer(facts, whole, home, writesOf(facts))) return null;
  const weighed = weigh(facts, whole);
  return weighed.score >= ENOUGH && !weighed.own ? weighed : null;
}
