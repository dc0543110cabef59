/** Python's `a | b` of two records that a recursion gives: the entries of the right one win, those of the left one are lost. */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { isPythonText } from "../language.js";
import { callsOf } from "../local.js";
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
import { isBackward } from "./entries.js";

/** `backward(l, g / b) | backward(r, -g * a)`, through locals too, where the function gives `{name: g}` for a variable. */
export function* unionFindings(facts: FileFacts): Iterable<{ node: Node; finding: Finding }> {
  if (!isPythonText(facts)) return;
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

function report(facts: FileFacts, node: Node, suggestions: readonly Suggestion[]): Finding {
  return {
    start: startOf(node),
    end: endOf(node),
    message: `\`${operationName(facts, node)}\` joins two records of gradients with \`|\`: entries of both are replaced, not added. A value used in both keeps only the last contribution.`,
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
