/** `slot =- value` where `slot -= value` is meant: the two signs stand together, and the value apart from them. */
import type { FileFacts } from "../facts.js";
import { loopsAround } from "../reverse.js";
import { bare, child, endOf, literal, startOf } from "../tree.js";
import { writesOf, type Write } from "../writes.js";
import { isBackward } from "./entries.js";

/** The store of a reverse sweep that others of the same table or field add in. */
export function isMistyped(
  facts: FileFacts,
  { node, value, form, name, element, container }: Write,
): boolean {
  if (form !== "assign" || node.operator !== "=" || value.type !== "UnaryExpression") return false;
  if (value.operator !== "-" && value.operator !== "+") return false;
  const before = facts.text.slice(endOf(child(node, "left")!), startOf(value));
  const apart = /\s/.test(facts.text.charAt(startOf(value) + 1));
  if (!apart || !before.endsWith("=") || literal(bare(child(value, "argument")!)) !== undefined) return false;
  const home = facts.home(node);
  const sweeps =
    facts.names.gradient(name) > 0 ||
    (home !== null && isBackward(facts, home)) ||
    loopsAround(facts, node).some(({ reverse }) => reverse);
  return (
    sweeps &&
    writesOf(facts).some(
      (one) =>
        one.form === "add" && one.name === name && one.element === element && one.container === container,
    )
  );
}
