/** One buffer, made for the occasion, that several slots are given: `a.grad = b.grad = zeros(n)`, a local stored for each parent. */
import type { FileFacts } from "../../facts.js";
import { isBlank, slotNamesOf } from "../../overwriting/slots.js";
import { isEntry } from "../../overwriting/entries.js";
import { lineOf, place, slotText } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import {
  bare,
  calleeName,
  child,
  endOf,
  isCall,
  isFunction,
  isMember,
  literal,
  propertyName,
  startOf,
  type Node,
} from "../../tree.js";
import { writesOf, type Write } from "../../writes.js";
import { inside } from "../shared/nodes.js";
import { inPlace } from "./in-place.js";

export function* oneForSeveral(facts: FileFacts): Iterable<Finding> {
  const slots = slotNamesOf(facts);
  const seen = new Map<unknown, Write>();
  for (const write of writesOf(facts)) {
    if (!/^(?:assign|default)$/.test(write.form) || facts.names.gradient(write.name) === 0) continue;
    if (write.element || isEntry(write) || write.object === null) continue;
    const shared = chained(facts, write) ?? storedForEach(facts, write, seen);
    if (shared === null) continue;
    const changed = inPlace(facts, slots.canonical(write.name), false);
    if (changed === null) continue;
    yield {
      start: startOf(write.node),
      end: endOf(write.node),
      message: `${slotText(facts, write)} and another slot are given one buffer, and line ${lineOf(facts, changed.node)} adds into such a buffer in place: what is added for one node is added for the other. Make one for each.`,
      evidence: "structural",
      related: [place(shared, "made once"), place(changed.node, "changes the shared buffer")],
    };
  }
}

/** A call or a construction that gives an array of its own. */
export function makesArray(node: Node): boolean {
  const inner = bare(node);
  if (inner.type === "ArrayExpression") return true;
  if (inner.type === "NewExpression") return /Array$/.test(calleeName(inner) ?? "");
  return isCall(inner) && /^(?:map|slice|from|zeros?|zerosLike|fill|of)$/.test(calleeName(inner) ?? "");
}

function chained(facts: FileFacts, write: Write): Node | null {
  let value = bare(write.value);
  if (value.type !== "AssignmentExpression" || value.operator !== "=") return null;
  const target = bare(child(value, "left")!);
  const name = isMember(target) ? propertyName(target) : null;
  if (name === null || facts.names.gradient(name) === 0) return null;
  while (value.type === "AssignmentExpression") value = bare(child(value, "right")!);
  return makesArray(value) ? value : null;
}

/** `const g = out.grad.slice(); for (const p of ins) p.grad ??= g;`, and two stores of one local into two slots. */
function storedForEach(facts: FileFacts, write: Write, seen: Map<unknown, Write>): Node | null {
  const binding = facts.binding(write.value);
  if (binding?.kind !== "variable") return null;
  const [made, ...more] = binding.definitions.filter(({ kind }) => kind !== "element");
  if (made === undefined || more.length > 0 || made.path.length > 0 || made.kind !== "initial") return null;
  if (!makesArray(made.expression) || literal(made.expression) !== undefined) return null;
  const home = facts.home(write.node);
  if (home === null || facts.home(made.at) !== home) return null;
  const before = seen.get(binding);
  if (before === undefined) seen.set(binding, write);
  else if (before.objectKey !== write.objectKey && !exclusive(before.node, write.node))
    return made.expression;
  const [loop] = loopsAround(facts, write.node);
  const root = rootOf(write.object!);
  const node = root === null ? null : facts.binding(root);
  const perTurn = loop !== undefined && node !== null && inside(node.declaration, loop.node);
  return loop !== undefined && perTurn && !inside(made.at, loop.node) && !isBlank(facts, write.value)
    ? made.expression
    : null;
}

function rootOf(object: Node): Node | null {
  let at = bare(object);
  while (isMember(at)) at = bare(child(at, "object")!);
  return at.type === "Identifier" ? at : null;
}

/** The two stand in two branches of one condition. */
function exclusive(a: Node, b: Node): boolean {
  for (let at = a.parent; at != null && !isFunction(at); at = at.parent) {
    if (!/^(?:If|Conditional)/.test(at.type)) continue;
    const [yes, no] = [child(at, "consequent"), child(at, "alternate")];
    if (yes !== null && no !== null && inside(a, yes) !== inside(b, yes) && inside(b, at)) return true;
  }
  return false;
}
