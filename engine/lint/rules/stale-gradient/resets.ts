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
import { isOnes, paidNames } from "./starts.js";

/** Stores of nothing into slots that are named for gradients or paid, outside of constructors. */
export const resets = (facts: FileFacts): readonly Write[] =>
  facts.once("resets", (file) =>
    writesOf(file).filter(({ node, value, form, name }) => {
      if (form === "add" || form === "scale") return false;
      if (file.names.gradient(name) === 0 && !paidNames(file).has(slotNamesOf(file).canonical(name)))
        return false;
      const home = runsIn(file, node);
      return (
        isBlank(file, value) &&
        !isOne(value) &&
        !isOnes(file, value) &&
        home !== null &&
        home.kind !== "constructor"
      );
    }),
  );

const LEAF = /leaf|input|param|trainable|variable|isvar|weight/i;

/** A reset that asks for leaves and leaves out the rest, where nothing else clears. */
export function partialResets(
  facts: FileFacts,
): readonly { readonly write: Write; readonly finding: Finding }[] {
  const out: { write: Write; finding: Finding }[] = [];
  const slots = slotNamesOf(facts);
  for (const write of resets(facts)) {
    const leaf = leafTest(facts, write);
    if (leaf === null) continue;
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
    const finding: Finding = {
      start: startOf(write.node),
      end: endOf(write.node),
      message:
        "only leaves are set back to zero: interior nodes keep what the last sweep left, and the next sweep hands it on once more. Clear every node before a sweep.",
      evidence: "structural",
      related: [place(leaf, "asks for leaves")],
    };
    out.push({ write, finding });
  }
  return out;
}

/** The test that lets a reset in a loop get at leaves alone. */
export function leafTest(facts: FileFacts, { node }: Write): Node | null {
  const fn = runsIn(facts, node);
  if (fn === null || loopsAround(facts, node).length === 0) return null;
  return testsBefore(facts, node, fn.node).find((test) => asksForLeaf(facts, test, node)) ?? null;
}

/** `if (n.ins.length === 0) n.grad = 0; else n.ins.forEach(clear);`: on the way to the leaves all else stays as it is. */
export function isBehindLeafTest(facts: FileFacts, node: Node): boolean {
  const fn = runsIn(facts, node);
  if (fn === null) return false;
  return testsBefore(facts, node, fn.node).some((test) => {
    const other = child(test.parent!, "alternate");
    return asksForLeaf(facts, test, node) && (other === null || !inside(node, other));
  });
}

/** `n.op === null`, `!n.parents`: nothing has made the node. */
function leavesNothing(test: Node): boolean {
  const inner = bare(test);
  const none = inner.type === "BinaryExpression" && /^===?$/.test(String(inner.operator));
  const negated = inner.type === "UnaryExpression" && inner.operator === "!";
  const at = none ? bare(child(inner, "left")!) : negated ? bare(child(inner, "argument")!) : null;
  const right = none ? bare(child(inner, "right")!) : null;
  if (right !== null && literal(right) !== null && identifier(right) !== "undefined") return false;
  return at !== null && isMember(at) && MADE.test(propertyName(at) ?? "");
}

const MADE =
  /^_*(?:op|creator|maker|grad_?fn|ctx|rule|kind|parents?|inputs?|operands|ins|deps|prev|from|sources?|children|args)$/i;

/** `if (n.isLeaf)`, `if (input)`, `if (n.parents.length === 0)`, and `if (!n.isLeaf) continue`. */
export function asksForLeaf(facts: FileFacts, test: Node, write: Node): boolean {
  const inner = bare(test);
  const holder = inner.parent?.type === "IfStatement" ? inner.parent : null;
  const leaves = holder !== null && !inside(write, holder);
  if (leavesNothing(inner)) return !leaves;
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
