/** `a.grad = b.grad = g`: one assignment inside of another, or of something else. Adding to each takes a statement each. */
import type { FileFacts } from "../facts.js";
import type { Suggestion } from "../report.js";
import { bare, child, endOf, isMember, propertyName, startOf, type Node } from "../tree.js";
import type { Write } from "../writes.js";
import { slotNamesOf } from "./slots.js";

interface Chain {
  /** the outermost assignment */
  readonly whole: Node;
  readonly targets: readonly Node[];
  readonly value: Node;
}

const isAssignment = (node: Node | null | undefined): node is Node =>
  node?.type === "AssignmentExpression" && node.operator === "=";

/** The chain that an assignment is a link of, null where it stands alone. */
export function chainOf(node: Node): Chain | null {
  if (!isAssignment(node)) return null;
  let whole = node;
  while (isAssignment(whole.parent) && child(whole.parent, "right") === whole) whole = whole.parent;
  const targets: Node[] = [];
  let value = whole;
  while (isAssignment(value)) {
    targets.push(child(value, "left")!);
    value = bare(child(value, "right")!);
  }
  return targets.length < 2 ? null : { whole, targets, value };
}

/** One addition for each link, of a value that is made once. None where a link is no slot of that name. */
export function chainFix(
  facts: FileFacts,
  write: Write,
  chain: Chain,
  statement: Node | null,
): readonly Suggestion[] {
  const slots = slotNamesOf(facts);
  const sameSlot = (target: Node): boolean => {
    const name = isMember(bare(target)) ? propertyName(bare(target)) : null;
    return name !== null && slots.canonical(name) === slots.canonical(write.name);
  };
  if (statement === null || !chain.targets.every(sameSlot)) return [];
  const texts = chain.targets.map((target) => facts.source(target));
  const sums = texts.map((text) => `${text} += c;`).join(" ");
  return [
    {
      title: `Add to ${texts.map((text) => `\`${text}\``).join(" and ")}`,
      kind: "number",
      edits: [
        {
          start: startOf(statement),
          end: endOf(statement),
          text: `{ const c = ${facts.source(chain.value)}; ${sums} }`,
        },
      ],
    },
  ];
}

/** What an assignment gives is used: a sum in its place would be used, too. */
export const givesOn = (node: Node): boolean =>
  !/^(?:ExpressionStatement|ArrowFunctionExpression|ReturnStatement|SequenceExpression|ConditionalExpression|LogicalExpression|UnaryExpression|ForStatement|ParenthesizedExpression)$/.test(
    node.parent?.type ?? "",
  );
