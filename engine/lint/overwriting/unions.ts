/**
 * Two records that a recursion gives, put together: the entries of the right one win, those of the left one are lost. In Python
 * `a | b`, in JavaScript `{ ...a, ...b }`.
 */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { isPythonText } from "../language.js";
import { callsOf } from "../local.js";
import { callsNamed } from "../lookups.js";
import { operationName } from "../operations.js";
import type { Finding, Suggestion } from "../report.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  endOf,
  identifier,
  isCall,
  receiver,
  startOf,
  type Node,
} from "../tree.js";
import type { Binding } from "../scopes.js";
import { valuesOf } from "../values.js";
import { isBackward } from "./entries.js";
import { multiplies } from "./parts.js";

/** `backward(l, g / b) | backward(r, -g * a)`, through locals too, where the function gives `{name: g}` for a variable. */
export function* unionFindings(facts: FileFacts): Iterable<{ node: Node; finding: Finding }> {
  if (!isPythonText(facts)) {
    yield* spreadUnions(facts);
    return;
  }
  for (const node of facts.byType.get("BinaryExpression") ?? []) {
    const home = node.operator === "|" ? facts.home(node) : null;
    if (home !== null && joins(facts, home, [child(node, "left")!, child(node, "right")!]))
      yield { node, finding: report(facts, node, fixesOf(node)) };
  }
  for (const node of facts.assignments) {
    const home = node.operator === "|=" ? facts.home(node) : null;
    if (home !== null && joins(facts, home, [child(node, "left")!, child(node, "right")!]))
      yield { node, finding: report(facts, node, []) };
  }
}

/** `{ ...left, ...right }`, `new Map([...left, ...right])`, `Object.assign(left, right)` of what a recursion gives. */
function* spreadUnions(facts: FileFacts): Iterable<{ node: Node; finding: Finding }> {
  if (facts.names.minified) return;
  const merged = (node: Node, sides: readonly (Node | null)[], spread: boolean): boolean => {
    const given = sides.map((side) =>
      !spread ? side : side?.type === "SpreadElement" ? child(side, "argument") : null,
    );
    const home = given.length < 2 || given.includes(null) ? null : facts.home(node);
    return (
      home !== null && handsCotangents(facts, home) && given.every((side) => isGiven(facts, side!, home))
    );
  };
  for (const node of facts.objects)
    if (merged(node, children(node, "properties"), true)) yield { node, finding: report(facts, node, []) };
  for (const node of facts.news) {
    const [list] = calleeName(node) === "Map" ? argumentsOf(node) : [];
    if (list !== undefined && merged(node, children(bare(list), "elements"), true))
      yield { node, finding: report(facts, node, []) };
  }
  for (const node of callsNamed(facts, "assign")) {
    const sides = argumentsOf(node).filter(
      (one) => children(bare(one), "properties").length > 0 || bare(one).type !== "ObjectExpression",
    );
    if (merged(node, sides, false)) yield { node, finding: report(facts, node, []) };
  }
}

/** The function gives `{ [leaf]: bar }` of a parameter, and goes on to operands with products of it. */
function handsCotangents(facts: FileFacts, fn: Fn): boolean {
  const named = isBackward(facts, fn) || facts.names.gradient(fn.name) === 2;
  const kept = fn.returns.flatMap((value) => paidIn(bare(value))).map((value) => facts.binding(value));
  return kept.some(
    (param) =>
      param?.kind === "param" &&
      facts.scopes.declaredIn(param, fn.node) &&
      (named || facts.names.gradient(param.name) > 0) &&
      callsOf(facts, fn).some(
        (call) => facts.home(call) === fn && argumentsOf(call).some((one) => scalesParam(facts, one, param)),
      ),
  );
}

const scalesParam = (facts: FileFacts, value: Node, param: Binding): boolean =>
  multiplies(facts, value) &&
  valuesOf(facts)
    .reads(value)
    .some((read) => read.kind === "param" && read.binding === param);

/** `bar` of `{ [name]: bar }` and of `new Map([[name, bar]])`. */
function paidIn(record: Node): readonly Node[] {
  if (record.type === "ConditionalExpression")
    return ["consequent", "alternate"].flatMap((branch) => paidIn(bare(child(record, branch)!)));
  const found =
    record.type === "ObjectExpression"
      ? children(record, "properties").map((one) =>
          one?.type === "Property" && one.computed === true ? child(one, "value") : null,
        )
      : record.type === "NewExpression"
        ? argumentsOf(record)
            .flatMap((list) => children(bare(list), "elements"))
            .map((pair) => (pair === null ? null : (children(bare(pair), "elements")[1] ?? null)))
        : [];
  return found.filter((one) => one !== null);
}

/** Both are what the function gives for operands, and it gives records of what it is handed. */
const joins = (facts: FileFacts, home: Fn, sides: readonly Node[]): boolean =>
  (isBackward(facts, home) || facts.names.gradient(home.name) === 2) &&
  givesRecords(home) &&
  sides.every((side) => isGiven(facts, side, home));

/** A dictionary stands in the tree as a map or as a record. */
const givesRecords = (fn: Fn): boolean =>
  fn.returns.some((value) => {
    const record = bare(value);
    return (
      (record.type === "NewExpression" && calleeName(record) === "Map") ||
      (record.type === "ObjectExpression" && children(record, "properties").length > 0)
    );
  });

function isGiven(facts: FileFacts, value: Node, fn: Fn): boolean {
  const inner = bare(value);
  const calls = callsOf(facts, fn);
  if (isCall(inner)) return handsOn(calls, inner);
  // a chain of unions: `a | b | c`
  if (inner.type === "BinaryExpression" && inner.operator === "|")
    return handsOn(calls, bare(child(inner, "right")!));
  const definitions = facts.binding(inner)?.definitions ?? [];
  return definitions.some(({ path, expression }) => path.length === 0 && handsOn(calls, bare(expression)));
}

/** An operand is gone on to with a cotangent: who collects what is finished hands the node alone. */
function handsOn(calls: readonly Node[], call: Node): boolean {
  if (!calls.includes(call)) return false;
  const holder = receiver(call);
  const operand = holder === null || bare(holder).type === "ThisExpression" ? 0 : 1;
  return argumentsOf(call).length + operand > 1;
}

const WITH_BAR = " with `|`";

function report(facts: FileFacts, node: Node, suggestions: readonly Suggestion[]): Finding {
  return {
    start: startOf(node),
    end: endOf(node),
    message: `\`${operationName(facts, node)}\` joins two records of gradients${isPythonText(facts) ? WITH_BAR : ""}: entries of both are replaced, not added. A value used in both keeps only the last contribution.`,
    evidence: "structural",
    suggestions,
  };
}

/** The sum over the entries of both, where both have a name. */
function fixesOf(node: Node): readonly Suggestion[] {
  const [a, b] = [child(node, "left")!, child(node, "right")!].map((side) => identifier(bare(side)));
  if (a === null || b === null) return [];
  const text = `{key: ${a}.get(key, 0) + ${b}.get(key, 0) for key in {**${a}, **${b}}}`;
  return [
    {
      title: "Add the entries of both",
      kind: "record",
      edits: [{ start: startOf(node), end: endOf(node), text }],
    },
  ];
}
