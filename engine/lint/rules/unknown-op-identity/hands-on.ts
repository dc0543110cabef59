/** Does a branch, or what a rule returns, hand the cotangent on as it is? */
import type { FileFacts } from "../../facts.js";
import { isBackward } from "../../overwriting/entries.js";
import { place } from "../../overwriting/words.js";
import type { Finding, Suggestion } from "../../report.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  endOf,
  identifier,
  isCall,
  isFunction,
  isMember,
  literal,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { callsOf } from "../../local.js";
import {
  addingHelpers,
  contributionsOf,
  isFolded,
  isThreaded,
  type Contribution,
} from "../shared/contributions.js";
import { inside, partsOf, runsIn } from "../shared/nodes.js";
import { handsOnByCall } from "./by-call.js";

const MESSAGE =
  "an operation that no rule is written for hands its cotangent on as if it were the identity: one whose rule is forgotten gives a wrong gradient and no error. Throw for what is not known.";

export function finding(node: Node, suggestions: readonly Suggestion[], through: Node): Finding {
  return {
    start: startOf(node),
    end: endOf(node),
    message: MESSAGE,
    evidence: "structural",
    related: [place(through, "the cotangent as it is")],
    suggestions,
  };
}

export const contributionsIn = (facts: FileFacts, node: Node): readonly Contribution[] =>
  contributionsOf(facts).filter(({ write, weighed }) => weighed!.carried && inside(write.node, node));

/** A case that pays or returns something worked out of the cotangent. */
export const works = (facts: FileFacts, node: Node): boolean =>
  contributionsIn(facts, node).length > 0 ||
  paysByCall(facts, node) ||
  [...returnsIn(node), ...givenIn(node)].some((value) =>
    partsOf(value).some(({ type }) => type === "BinaryExpression" || type === "CallExpression"),
  );

/** `parts = [g * b, g * a];` of a local: what the branches of a dispatch leave for what comes after it. */
export const givenIn = (node: Node): Node[] =>
  partsOf(node).flatMap((one) =>
    one.type === "AssignmentExpression" &&
    one.operator === "=" &&
    one.parent?.type === "ExpressionStatement" &&
    bare(child(one, "left")!).type === "Identifier"
      ? [child(one, "right")!]
      : [],
  );

/** `bump(n.a, g * n.b.value)` of a helper that adds. */
const paysByCall = (facts: FileFacts, node: Node): boolean =>
  addingHelpers(facts).some(({ fn }) =>
    callsOf(facts, fn).some(
      (call) => inside(call, node) && argumentsOf(call).some((one) => bare(one).type === "BinaryExpression"),
    ),
  );

export const returnsIn = (node: Node): Node[] =>
  partsOf(node)
    .filter(({ type }) => type === "ReturnStatement")
    .map((one) => child(one, "argument"))
    .filter((one) => one !== null);

/** The switch stands in the reverse sweep. */
export function sweeps(facts: FileFacts, node: Node): boolean {
  if (contributionsIn(facts, node).some(({ weighed }) => weighed!.reverse || weighed!.upstream !== null))
    return true;
  const fn = runsIn(facts, node);
  return (
    (fn !== null && (isBackward(facts, fn) || facts.names.derivative(fn.name) || isThreaded(facts, fn))) ||
    isFolded(facts, facts.enclosing(node)) ||
    // what a switch gives a local is paid after it
    (fn !== null &&
      contributionsIn(facts, fn.node).some(
        ({ write, weighed }) => weighed!.upstream?.kind === "field" && facts.names.gradient(write.name) === 2,
      ))
  );
}

/** The place where the body hands the cotangent on unchanged, null when it does something else. */
export function passesThrough(facts: FileFacts, node: Node, cases: readonly Node[]): Node | null {
  const at = cases.indexOf(node);
  let body = children(node, "consequent").filter((one) => one !== null);
  // an empty default falls into what stands below it
  if (body.length === 0 && at >= 0 && at < cases.length - 1)
    body = children(cases[at + 1], "consequent").filter((one) => one !== null);
  if (body.some((part) => partsOf(part).some(({ type }) => type === "ThrowStatement"))) return null;
  for (const part of body) {
    const paid = contributionsIn(facts, part);
    for (const { write } of paid) if (unchanged(facts, write.value)) return write.node;
    if (paid.length > 0) return null;
    for (const value of returnsIn(part)) if (handsOn(facts, value) || onesOf(facts, value)) return value;
    const given = givenIn(part).find((value) => handsOn(facts, value) && givenTo(facts, value, cases));
    if (given !== undefined) return given;
  }
  return handsOnByCall(
    facts,
    body,
    cases.filter((one) => one !== node),
  );
}

/** Other branches give the same local something that they worked out. */
function givenTo(facts: FileFacts, value: Node, cases: readonly Node[]): boolean {
  const own = (one: Node): unknown => facts.binding(child(one.parent!, "left")!);
  const local = own(value);
  return cases.some((one) =>
    givenIn(one).some((other) => other !== value && own(other) === local && !handsOn(facts, other)),
  );
}

/** A bare cotangent: a slot, a local that holds one, the parameter that is handed in, or the old sum plus one of these. */
export function unchanged(facts: FileFacts, value: Node): boolean {
  const inner = bare(value);
  if (inner.type === "BinaryExpression" && inner.operator === "+") {
    const sides = [child(inner, "left")!, child(inner, "right")!].map(bare);
    return (
      sides.some((side) => unchanged(facts, side)) && sides.every((side) => side.type !== "BinaryExpression")
    );
  }
  if (isCall(inner)) {
    const name = calleeName(inner) ?? "";
    const args = argumentsOf(inner);
    if (/^add|^plus|accum/i.test(name) && args.length > 0) return args.some((arg) => unchanged(facts, arg));
    return name === "get" && receiver(inner) !== null && cotangentName(facts, receiver(inner)!);
  }
  if (inner.type === "LogicalExpression") return unchanged(facts, child(inner, "left")!);
  if (inner.type === "Identifier") {
    if (cotangentName(facts, inner)) return true;
    const binding = facts.scopes.resolve(inner);
    const [only, ...more] = binding?.definitions ?? [];
    return (
      only !== undefined &&
      more.length === 0 &&
      binding?.kind === "variable" &&
      isMemberOrGet(only.expression) &&
      unchanged(facts, only.expression)
    );
  }
  if (isMember(inner)) {
    const name = propertyName(inner);
    if (name !== null) return facts.names.gradient(name) > 0;
    return cotangentName(facts, child(inner, "object")!);
  }
  return false;
}

function isMemberOrGet(node: Node): boolean {
  const inner = bare(node);
  return isMember(inner) || isCall(inner) || inner.type === "LogicalExpression";
}

export function cotangentName(facts: FileFacts, node: Node): boolean {
  const inner = bare(node);
  const name = isMember(inner) ? propertyName(inner) : identifier(inner);
  return (
    name !== null &&
    (facts.names.gradient(name) > 0 || /^(?:u|up|upstream|w|out[gG]|og|dy|ybar|cts?)$/.test(name))
  );
}

/** `[g]`, `g`, `inputs.map(() => g)`, `{ a: g }`: what a rule returns, with nothing done to it. */
export function handsOn(facts: FileFacts, value: Node): boolean {
  const inner = bare(value);
  if (inner.type === "ArrayExpression") {
    const elements = children(inner, "elements").filter((e) => e !== null);
    return (
      elements.length > 0 &&
      elements.some((e) => unchanged(facts, e)) &&
      elements.every((e) => unchanged(facts, e) || literal(e) === 0)
    );
  }
  if (isCall(inner) && /^(?:map|fill|from)$/.test(calleeName(inner) ?? "")) {
    const last = argumentsOf(inner).at(-1);
    if (last === undefined) return false;
    const fn = isFunction(bare(last)) ? facts.functionOf(bare(last)) : null;
    return fn === null
      ? calleeName(inner) === "fill" && unchanged(facts, last)
      : fn.returns.some((one) => unchanged(facts, one));
  }
  return unchanged(facts, inner);
}

/** `inputs.map(() => 1)` where local derivatives are returned and no cotangent is at hand: the identity's. */
function onesOf(facts: FileFacts, value: Node): boolean {
  const fn = runsIn(facts, value);
  if (fn === null || fn.params.some((param) => cotangentName(facts, param))) return false;
  const inner = bare(value);
  if (!isCall(inner) || !/^(?:map|fill|from)$/.test(calleeName(inner) ?? "")) return false;
  const last = argumentsOf(inner).at(-1);
  if (last === undefined) return false;
  const made = isFunction(bare(last)) ? (facts.functionOf(bare(last))?.returns ?? []) : [last];
  return made.length > 0 && made.every((one) => literal(one) === 1);
}
