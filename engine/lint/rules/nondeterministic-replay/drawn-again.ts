/** Draws in a rule that hands its cotangent on: `vjp: (x, bar) => bar * gain() * x`, where the forward pass drew another. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsOf, localFunction } from "../../local.js";
import { namesOf, partOf } from "../../lookups.js";
import { isBackward } from "../../overwriting/entries.js";
import { bare, child, identifier, isFunction, isMember, propertyName, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { callsIn, keptAs, partsOf } from "../shared/nodes.js";
import { sourceAt, type Source } from "./sources.js";

export function* drawnAgain(facts: FileFacts): Iterable<Source> {
  for (const fn of facts.functions) {
    if (fn.inline || fn.params.length === 0 || !isRule(facts, fn)) continue;
    for (const call of callsIn(facts, fn)) {
      const source = sourceAt(facts, call, fn) ?? countedField(facts, call, fn);
      if (source !== null && scales(facts, call, fn)) yield source;
    }
  }
}

/** `this.temperature()`, which counts its calls in a field of the object, and is called in the forward pass, too. */
function countedField(facts: FileFacts, call: Node, fn: Fn): Source | null {
  const local = localFunction(facts, call);
  if (local === null || local === fn || local.owner === null) return null;
  const counts = partOf([...facts.updates, ...facts.assignments], local.node).find((node) => {
    const target = bare(child(node, node.type === "UpdateExpression" ? "argument" : "left")!);
    if (!isMember(target) || bare(child(target, "object")!).type !== "ThisExpression") return false;
    if (node.operator === "=" || facts.names.gradient(propertyName(target) ?? "") > 0) return false;
    const key = valuesOf(facts).key(target);
    return local.returns.some((value) =>
      partsOf(value).some((part) => isMember(part) && valuesOf(facts).key(part) === key),
    );
  });
  const forward = callsOf(facts, local).some((other) => {
    const home = facts.home(other);
    return home !== null && home.owner === fn.owner && !isBackward(facts, home);
  });
  return counts !== undefined && forward
    ? { node: call, what: `\`${local.name}\`, which counts its calls,` }
    : null;
}

/** Named for the sweep, or kept under such a name, and handed a cotangent. */
const isRule = (facts: FileFacts, fn: Fn): boolean =>
  (isBackward(facts, fn) ||
    [fn.name, ...keptAs(facts, fn)].some((name) => /^_*(?:grad|pull|vjp|bwd|back)/i.test(name))) &&
  fn.params.some((param) => isNamed(facts, identifier(bare(param)) ?? ""));

/** The draw, or the local that keeps it, is a factor beside the cotangent: noise that is added on purpose is none. */
function scales(facts: FileFacts, call: Node, fn: Fn): boolean {
  if (isFactor(facts, call, fn)) return true;
  let at: Node | null | undefined = call;
  while (at != null && at.type !== "VariableDeclarator" && at !== fn.node) at = at.parent;
  const binding = at?.type === "VariableDeclarator" ? facts.binding(child(at, "id")!) : null;
  return binding !== null && namesOf(facts, binding).some((name) => isFactor(facts, name, fn));
}

function isFactor(facts: FileFacts, node: Node, fn: Fn): boolean {
  for (let from = node, at = node.parent; at != null && at !== fn.node; from = at, at = at.parent) {
    if (isFunction(at) && facts.functionOf(at)?.inline !== true) return false;
    // `Math.random() < p ? 0 : g / q`
    if (at.type === "ConditionalExpression" && child(at, "test") === from) {
      const branches = [child(at, "consequent")!, child(at, "alternate")!];
      if (
        branches.some((one) =>
          partsOf(one).some((part) => part.type === "Identifier" && isCotangent(facts, part)),
        )
      )
        return true;
    }
    if (at.type === "IfStatement" && child(at, "test") === from && decidesShare(facts, at)) return true;
    if (at.type !== "BinaryExpression" || !/^[*/]$/.test(String(at.operator))) continue;
    const other = child(at, child(at, "left") === from ? "right" : "left")!;
    if (partsOf(other).some((part) => part.type === "Identifier" && isCotangent(facts, part))) return true;
  }
  return false;
}

/** `if (draw() < p) continue; gx[i] = gy[i] / q;`: what the test lets through or keeps out is a share of the cotangent. */
function decidesShare(facts: FileFacts, test: Node): boolean {
  const block = test.parent?.type === "BlockStatement" ? test.parent : test;
  return partOf(facts.assignments, block).some(
    (store) =>
      isMember(bare(child(store, "left")!)) &&
      partsOf(child(store, "right")!).some((part) => part.type === "Identifier" && isCotangent(facts, part)),
  );
}

/** A parameter named for a cotangent, of the rule or of a callback over its elements. */
const isCotangent = (facts: FileFacts, node: Node): boolean =>
  facts.binding(node)?.kind === "param" && isNamed(facts, String(node.name));

const isNamed = (facts: FileFacts, name: string): boolean =>
  facts.names.gradient(name) > 0 || /^(?:g[xyz]|up|upstream|gout|dout)$/i.test(name);
