/** Tapes that are chains with the oldest entry first, walked as they were made: `for (let op = first; op; op = op.next) op.back();`. */
import type { FileFacts } from "../../facts.js";
import { groupBy, partOf } from "../../lookups.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import {
  bare,
  calleeName,
  child,
  identifier,
  isMember,
  propertyName,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { contributionsOf, seedsOf, stepNames } from "../shared/contributions.js";
import { stepsOn } from "../shared/loops.js";
import { inside, runsIn } from "../shared/nodes.js";

export function* forwardChains(facts: FileFacts): Iterable<{ node: Node; finding: Finding }> {
  const walks = facts.loops.flatMap((loop) => walk(facts, loop) ?? []);
  if (walks.length === 0) return;
  const appended = appendedBy(facts, new Set(walks.map(({ field }) => field)));
  for (const { loop, field, current } of walks) {
    const append = appended.get(field);
    if (append === undefined) continue;
    const home = runsIn(facts, loop);
    const seeded = seedsOf(facts).some(
      ({ node }) => runsIn(facts, node) === home && startOf(node) < startOf(loop),
    );
    const step = seeded ? stepIn(facts, loop, current) : null;
    if (step === null) continue;
    yield {
      node: loop,
      finding: {
        start: startOf(loop),
        end: Math.max(startOf(child(loop, "body")!), startOf(loop) + 1),
        message:
          "the sweep walks the tape from its first entry, and entries are hung on at the end as they are made: a node passes its cotangent on before it has one. Keep the entry before, and walk from the last.",
        evidence: "structural",
        related: [place(append, "a new entry comes last"), place(step, "what each entry does")],
      },
    };
  }
}

/** Fields that the last entry gets the new one in, before that takes its place: `last.next = op; last = op;`. */
function appendedBy(facts: FileFacts, fields: ReadonlySet<string>): ReadonlyMap<string, Node> {
  const out = new Map<string, Node>();
  const values = valuesOf(facts);
  const byEntry = groupBy(facts.assignments, ({ operator, right }) =>
    operator === "=" ? facts.binding(right as Node) : null,
  );
  for (const stores of byEntry.values())
    for (const [at, store] of stores.entries()) {
      const left = bare(child(store, "left")!);
      const field = isMember(left) ? propertyName(left) : null;
      if (field === null || !fields.has(field) || at === stores.length - 1) continue;
      const last = values.key(child(left, "object")!);
      if (stores.slice(at + 1).some((other) => values.key(child(other, "left")!) === last))
        out.set(field, store);
    }
  return out;
}

interface Walk {
  readonly loop: Node;
  readonly field: string;
  /** key of the entry that the loop is at */
  readonly current: string;
}

/** The field along which a loop goes. */
function walk(facts: FileFacts, loop: Node): Walk | null {
  if (!/^(?:For|While|DoWhile)Statement$/.test(loop.type)) return null;
  for (const step of partOf(facts.assignments, loop)) {
    const left = child(step, "left")!;
    const from = bare(child(step, "right")!);
    const name = identifier(bare(left));
    if (name === null || !isMember(from) || identifier(child(from, "object")) !== name) continue;
    const field = propertyName(from);
    if (field !== null) return { loop, field, current: valuesOf(facts).key(left) };
  }
  return null;
}

function stepIn(facts: FileFacts, loop: Node, current: string): Node | null {
  const paid = contributionsOf(facts).find(
    ({ write, payer, weighed }) =>
      inside(write.node, loop) && weighed!.carried && (payer === current || payer.startsWith(`${current}.`)),
  );
  if (paid !== undefined) return paid.write.node;
  const names = stepNames(facts);
  return (
    stepsOn(facts, child(loop, "body")!, new Set([current])).find((call) => {
      const name = calleeName(call) ?? "";
      return names.has(name) || facts.names.backward(name);
    }) ?? null
  );
}
