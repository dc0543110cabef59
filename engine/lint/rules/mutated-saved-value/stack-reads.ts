/** How values are taken off a stack, and the report of one that is taken wrongly. */
import type { FileFacts } from "../../facts.js";
import { groupBy } from "../../lookups.js";
import { place } from "../../overwriting/words.js";
import type { Finding, Suggestion } from "../../report.js";
import {
  bare,
  child,
  endOf,
  isMember,
  literal,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { runsIn } from "../shared/nodes.js";

/** Calls of methods on a place. */
export const callsOn = (facts: FileFacts, key: string): readonly Node[] =>
  facts
    .once("calls by receiver", (file) =>
      groupBy(file.calls, (call) => {
        const object = receiver(call);
        return object === null ? null : valuesOf(file).key(object);
      }),
    )
    .get(key) ?? [];

/** The key of `stack` in `stack[stack.length - 1]`; null for another member. */
export function lastOf(facts: FileFacts, member: Node): string | null {
  if (member.computed !== true) return null;
  const index = bare(child(member, "property")!);
  if (index.type !== "BinaryExpression" || index.operator !== "-" || literal(child(index, "right")!) !== 1)
    return null;
  const left = bare(child(index, "left")!);
  if (!isMember(left) || propertyName(left) !== "length" || runsIn(facts, member) === null) return null;
  const key = valuesOf(facts).key(child(member, "object")!);
  return valuesOf(facts).key(child(left, "object")!) === key ? key : null;
}

export function reportTaking(
  facts: FileFacts,
  node: Node,
  forward: Node,
  what: string,
  instead: string | null,
): Finding {
  const object = receiver(node);
  const suggestions: readonly Suggestion[] =
    instead === null || object === null
      ? []
      : [
          {
            title: `Take it off with \`${instead}\``,
            kind: "rewrite",
            edits: [{ start: startOf(node), end: endOf(node), text: `${facts.source(object)}.${instead}()` }],
          },
        ];
  return {
    start: startOf(node),
    end: endOf(node),
    message: `${what}: the reverse sweep undoes the steps from the last to the first, and takes what they kept off the end with \`pop\`.`,
    evidence: "structural",
    related: [place(forward, "kept here in the forward pass")],
    suggestions,
  };
}
