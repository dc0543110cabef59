/** Every write of a file judged once: does it add, does it assign a contribution, or is it none of either? */
import { adds, slotOf } from "../adds.js";
import type { FileFacts } from "../facts.js";
import { bare, child, isFunction, literal, type Node } from "../tree.js";
import { isBlank, slotNamesOf } from "./slots.js";
import { ENOUGH, weigh, type Weighed } from "./evidence.js";
import { storedEachRun } from "./runs.js";
import { storedInScatter } from "./scatters.js";
import { storedEachTurn } from "./turns.js";
import { writesOf, type Write } from "../writes.js";
import {
  plausible,
  holdsEdges,
  isText,
  isSeed,
  isSetup,
  fits,
  madeHere,
  forwards,
  freshBuffer,
} from "./exclusions.js";
import { fillsFresh } from "./filled.js";
import { gathersLast } from "./last-gathered.js";
import { guarded, keepsBest, keepsFirst } from "./guards.js";
import { isMistyped } from "./mistyped.js";
import { storedBesideSums } from "./mixed.js";
import { addsByProxy } from "./proxied.js";
import { putBack } from "./put-back.js";
import { withSiblings } from "./siblings.js";

export type Verdict =
  /** adds a contribution: right */
  | "accumulates"
  /** assigns a contribution */
  | "overwrites"
  /** assigns a contribution into what this very function made afresh: a chain with one writer */
  | "single-use"
  /** initialises, seeds, resets, copies, publishes, scales: not about contributions */
  | "other";

export interface Judged {
  readonly write: Write;
  readonly verdict: Verdict;
  readonly weighed: Weighed | null;
  /** other only for lack of evidence here: what calls its function may bring it */
  readonly open: boolean;
  /** canonical name of the slot: field or container */
  readonly slot: string;
}

export const judgedWrites = (facts: FileFacts): readonly Judged[] =>
  facts.once("judged writes", (file) => {
    const all = writesOf(file);
    const first = all.map((write) => judge(file, write, all));
    return withSiblings(file, first);
  });

function slotName(facts: FileFacts, write: Write): string {
  return slotNamesOf(facts).canonical(write.name);
}

function judge(facts: FileFacts, write: Write, all: readonly Write[]): Judged {
  const slots = slotNamesOf(facts);
  const slot = slotName(facts, write);
  const done = (verdict: Verdict, weighed: Weighed | null = null, open = false): Judged => ({
    write,
    verdict,
    weighed,
    open,
    slot,
  });
  if (write.form === "scale") return done("other");
  if (
    storedEachTurn(facts, write, all) ||
    storedEachRun(facts, write) ||
    storedInScatter(facts, write) ||
    storedBesideSums(facts, write) ||
    isMistyped(facts, write)
  )
    return done("overwrites", weigh(facts, write));
  if (!plausible(facts, write)) return done("other");
  if (write.form === "add" || write.form === "adding-call") return done("accumulates", weigh(facts, write));
  if (isBlank(facts, write.value) || isFunction(bare(write.value)) || holdsEdges(facts, write.value))
    return done("other");
  // what went wrong is kept under such a name, too
  if (facts.names.gradient(write.name) < 2 && isText(write.value)) return done("other");
  const home = facts.home(write.node);
  if (home === null || isSetup(facts, write, home)) return done("other");
  const old = slotOf(write, (name) => slots.same(name));
  if (write.form !== "merge" && !keepsFirst(facts, write, old) && adds(facts, write.value, old))
    return done("accumulates", weigh(facts, write));
  if (slots.addingSetters.has(write.name) || addsByProxy(facts, write))
    return done("accumulates", weigh(facts, write));
  if (slots.setters.has(home) && write.objectKey === "this") return done("other");
  if (keepsBest(facts, write, home) || counts(write.value)) return done("other");
  if (guarded(facts, write, home) || putBack(facts, write, home)) return done("other");
  const weighed = weigh(facts, write);
  if (madeHere(facts, write, home, weighed)) return done("other", weighed);
  if (isSeed(facts, write, home, weighed)) return done("other", weighed);
  if (weighed.own) return done(gathersLast(facts, write) ? "overwrites" : "other", weighed, true);
  if (forwards(facts, write, home, weighed, all)) return done("other", weighed);
  if (fillsFresh(facts, write, home)) return done("other", weighed);
  if (freshBuffer(facts, write, home, all))
    return done(weighed.score >= ENOUGH - 2 && weighed.reverse ? "single-use" : "other", weighed);
  const enough = weighed.score >= ENOUGH && fits(facts, write, weighed);
  return done(enough ? "overwrites" : "other", weighed, !enough);
}

/** `depth[w] = depth[v] + 1`: one more than that of another is a count. */
function counts(value: Node): boolean {
  const inner = bare(value);
  return (
    inner.type === "BinaryExpression" &&
    (inner.operator === "+" || inner.operator === "-") &&
    [child(inner, "left"), child(inner, "right")].some(
      (side) => side !== null && typeof literal(side) === "number",
    )
  );
}
