/**
 * A buffer that the run itself made and whose places it fills once each: `da[k] = ..., da[H + k] = ...` of the gates of a cell,
 * `q[4 * i + 1] = ...`, `packed[at++] = ...`. Nothing was there to be lost.
 */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { loopsAround } from "../reverse.js";
import { startOf, within } from "../tree.js";
import type { Write } from "../writes.js";
import { isEntry } from "./entries.js";
import { isLocal, rootOf } from "./exclusions.js";
import { branchOf, writesFrom } from "./guards.js";
import { areApart, countedIndex } from "./indices.js";
import { isBlank } from "./slots.js";

/** The write fills a place of a fresh local buffer for the first time. */
export function fillsFresh(facts: FileFacts, write: Write, home: Fn): boolean {
  if (!isEntry(write) || write.form !== "assign" || !isLocal(facts, write, home)) return false;
  const root = rootOf(write.target);
  const binding = root === null ? null : facts.binding(root);
  const made = binding?.definitions.find(({ kind }) => kind !== "element");
  if (binding == null || made === undefined || !isBlank(facts, made.expression)) return false;
  const others = writesFrom(facts, home).filter(
    (other) => other !== write && other.container === write.container && !areBranches(write, other, home),
  );
  const turns = loopsAround(facts, write.node).some(({ node }) => !within(made.at, node));
  if (!turns && others.every((other) => startOf(other.node) > startOf(write.node))) return true;
  if (write.index === null) return false;
  const index = countedIndex(facts, write.index, made.at);
  if (index === null) return false;
  return others.every((other) => {
    if (other.form !== "assign" || isBlank(facts, other.value)) return other.form === "assign";
    const theirs = other.index === null ? null : countedIndex(facts, other.index, made.at);
    return theirs !== null && areApart(index, theirs);
  });
}

/** They stand in two branches of one condition. */
function areBranches(a: Write, b: Write, home: Fn): boolean {
  const own = branchOf(a.node, home.node);
  return branchOf(b.node, home.node).some((theirs) =>
    own.some(({ test, branch }) => test === theirs.test && branch !== theirs.branch),
  );
}
