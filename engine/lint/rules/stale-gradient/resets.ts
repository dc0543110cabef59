/** Where gradients are set back to nothing, and the fault of setting back leaves alone. */
import type { FileFacts } from "../../facts.js";
import { isBlank, slotNamesOf } from "../../overwriting/slots.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { isOne, loopsAround } from "../../reverse.js";
import {
  bare,
  calleeName,
  child,
  endOf,
  identifier,
  isMember,
  literal,
  propertyName,
  startOf,
  type Node,
} from "../../tree.js";
import { writesOf, type Write } from "../../writes.js";
import { contributionsOf } from "../shared/contributions.js";
import { inside, runsIn } from "../shared/nodes.js";
import { testsBefore } from "../shared/recursion.js";

/** Stores of nothing into gradient slots, outside of constructors. */
export const resets = (facts: FileFacts): readonly Write[] =>
  facts.once("resets", (file) =>
    writesOf(file).filter(({ node, value, form, name }) => {
      if (form === "add" || form === "scale" || file.names.gradient(name) === 0) return false;
      const home = runsIn(file, node);
      return isBlank(file, value) && !isOne(value) && home !== null && home.kind !== "constructor";
    }),
  );

const LEAF = /leaf|input|param|trainable|variable|isvar|weight/i;

/** A reset that asks for leaves and leaves out the rest, where nothing else clears. */
export function* partialResets(facts: FileFacts): Iterable<Finding> {
  const slots = slotNamesOf(facts);
  for (const write of resets(facts)) {
    const fn = runsIn(facts, write.node);
    if (fn === null || loopsAround(facts, write.node).length === 0) continue;
    const tests = testsBefore(facts, write.node, fn.node);
    const leaf = tests.find((test) => asksForLeaf(facts, test, write.node));
    if (leaf === undefined) continue;
    const others = resets(facts).some(
      (other) =>
        other !== write &&
        slots.canonical(other.name) === slots.canonical(write.name) &&
        (loopsAround(facts, other.node).length > 0 || !other.element) &&
        runsIn(facts, other.node) !== null &&
        !testsBefore(facts, other.node, runsIn(facts, other.node)!.node).some((test) =>
          asksForLeaf(facts, test, other.node),
        ),
    );
    const interior = contributionsOf(facts).some(
      (one) =>
        slots.canonical(one.write.name) === slots.canonical(write.name) && one.verdict === "accumulates",
    );
    if (others || !interior) continue;
    yield {
      start: startOf(write.node),
      end: endOf(write.node),
      message:
        "only leaves are set back to zero: interior nodes keep what the last sweep left, and the next sweep hands it on once more. Clear every node before a sweep.",
      evidence: "structural",
      related: [place(leaf, "asks for leaves")],
    };
  }
}

/** `if (n.isLeaf)`, `if (input)`, `if (n.parents.length === 0)`, and `if (!n.isLeaf) continue`. */
function asksForLeaf(facts: FileFacts, test: Node, write: Node): boolean {
  const inner = bare(test);
  const holder = inner.parent?.type === "IfStatement" ? inner.parent : null;
  const leaves = holder !== null && !inside(write, holder);
  const negated = inner.type === "UnaryExpression" && inner.operator === "!";
  const at = negated ? bare(child(inner, "argument")!) : inner;
  if (at.type === "BinaryExpression") {
    const sides = [bare(child(at, "left")!), bare(child(at, "right")!)];
    const sized =
      sides.some((side) => isMember(side) && propertyName(side) === "length") &&
      sides.some((side) => literal(side) === 0);
    if (!sized)
      return (
        sides.some((side) => LEAF.test(String(literal(side)))) &&
        String(at.operator).startsWith(leaves ? "!" : "=")
      );
    return /^===?$/.test(String(at.operator)) ? !leaves : /^(?:>|!==?)$/.test(String(at.operator)) && leaves;
  }
  const name = isMember(at)
    ? (propertyName(at) ?? facts.source(at))
    : (identifier(at) ?? calleeName(at) ?? "");
  return LEAF.test(name) && negated === leaves;
}
