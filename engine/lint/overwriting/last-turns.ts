/**
 * A local that keeps the contribution of the last turn of a loop: `sigmaBar = dt * z[i] * eBar` where each step of a path pays,
 * read when the loop is done. What an element or a field keeps so is seen by the look at places (turns.ts).
 */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { namesOf } from "../lookups.js";
import { loopsAround, type Loop } from "../reverse.js";
import { bare, child, endOf, isCall, isFunction, startOf, within, type Node } from "../tree.js";
import { assignmentsIn, isAdjoint, isCotangentName, isCotangentPlace, readsCotangent } from "./cotangents.js";
import { branchOf } from "./guards.js";
import { multiplies } from "./parts.js";
import { isBlank } from "./slots.js";
import { followsTurn } from "./turns.js";

export interface LastTurn {
  readonly node: Node;
  /** the name as it stands in the text */
  readonly target: Node;
  readonly loop: Node;
  /** a sum over the turns of the same loop, null when there is none */
  readonly sum: Node | null;
}

/** Kept for its own sake: the last of a search, a measure of progress. */
const KEPT = /norm|last|prev|final|curr|best|max|min|old|new|first|next|tmp|temp/i;

export const lastTurns = (facts: FileFacts): readonly LastTurn[] =>
  facts.once("last turns", (file) => {
    if (file.names.minified) return [];
    const out: LastTurn[] = [];
    for (const [home, assignments] of assignmentsIn(file)) {
      if (!isAdjoint(file, home)) continue;
      for (const node of assignments) {
        const found = node.operator === "=" ? judge(file, home, node, assignments) : null;
        if (found !== null) out.push(found);
      }
    }
    return out;
  });

function judge(facts: FileFacts, home: Fn, node: Node, beside: readonly Node[]): LastTurn | null {
  const target = bare(child(node, "left")!);
  const value = child(node, "right")!;
  const binding = target.type === "Identifier" ? facts.scopes.resolve(target) : null;
  if (binding?.kind !== "variable" || KEPT.test(binding.name)) return null;
  if (!isCotangentName(facts, binding.name, home)) return null;
  if (isBlank(facts, value) || isFunction(bare(value))) return null;
  // a name alone hands on what another place has summed
  if (!multiplies(facts, value) && !isCall(bare(value))) return null;
  if (!readsCotangent(facts, value, home)) return null;
  const loop = loopsAround(facts, node).find(
    (one) =>
      !within(binding.declaration, one.node) &&
      followsTurn(facts, value, one) &&
      // one turn of several is meant
      branchOf(node, home.node).every(({ branch }) => within(one.node, branch)),
  );
  if (loop === undefined) return null;
  const others = namesOf(facts, binding).filter((name) => name !== target && name !== binding.declaration);
  if (others.some((name) => facts.home(name) !== home && within(name, home.node))) return null;
  if (others.some((name) => within(name, loop.node))) return null;
  if (!others.some((name) => startOf(name) > endOf(loop.node))) return null;
  const sum = sumIn(facts, home, loop, beside);
  const shown = sum !== null || loop.reverse || facts.names.gradient(binding.name) === 2;
  return shown ? { node, target, loop: loop.node, sum } : null;
}

/** `rBar += dt * eBar` in the same turns, older than the loop. */
function sumIn(facts: FileFacts, home: Fn, loop: Loop, beside: readonly Node[]): Node | null {
  return (
    beside.find((node) => {
      if (node.operator !== "+=" && node.operator !== "-=") return false;
      const place = child(node, "left")!;
      const value = child(node, "right")!;
      return (
        within(node, loop.node) && isCotangentPlace(facts, place, home) && readsCotangent(facts, value, home)
      );
    }) ?? null
  );
}
