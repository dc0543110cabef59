/** Buffers that each turn of a forward loop keeps themselves and fills anew: all that was kept is the state of the last turn. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsNamed, holdsMap } from "../../lookups.js";
import { isBackward } from "../../overwriting/entries.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import { leaves, type Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  identifier,
  isMember,
  propertyName,
  receiver,
  startOf,
  within,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf } from "../../writes.js";
import { nodesIn } from "../shared/nodes.js";
import { copyOf, keptParts } from "./kept-parts.js";
import { fillOf, swappedWith } from "./refills.js";
import { sweepLoops } from "./sweep-loops.js";

/** `this.steps.push({ h: this.h })` in a loop that fills `this.h` anew in each turn: all steps keep the last state. */
export function* keptByReference(facts: FileFacts): Iterable<Finding> {
  for (const { node, list, value } of keepings(facts)) {
    const name = listName(list);
    const parts = keptParts(value);
    const home = name === null || parts.length === 0 ? null : facts.home(node);
    const around = home === null ? undefined : loopsAround(facts, node)[0];
    if (name === null || home === null || around === undefined) continue;
    const loop = around.node;
    if (isBackward(facts, home) && (around.reverse || !runsBoth(facts, home, loop))) continue;
    if (!readBack(facts).has(name) && !namesInSweeps(facts).has(name)) continue;
    if (!readInReverse(facts, name, home, loop)) continue;
    for (const kept of parts) {
      const change = refilled(facts, kept, loop);
      if (change === null) continue;
      yield {
        start: startOf(node),
        end: endOf(node),
        message: `each turn keeps \`${facts.source(kept)}\` itself, and line ${lineOf(facts, change)} fills it anew: when the backward pass reads what was kept, all of it is the state of the last turn. Keep a copy.`,
        evidence: "structural",
        related: [place(change, "filled in each turn")],
        suggestions:
          kept.type === "SpreadElement"
            ? []
            : [
                {
                  title: "Keep a copy",
                  kind: "rewrite",
                  edits: [{ start: startOf(kept), end: endOf(kept), text: copyOf(facts, kept) }],
                },
              ],
      };
      break;
    }
  }
}

/** A function that is named for the sweep may run the forward pass itself: `flowAdjoint(start, n)`. */
const runsBoth = (facts: FileFacts, home: Fn, loop: Node): boolean =>
  sweepLoops(facts).some((sweep) => within(sweep, home.node) && startOf(sweep) > endOf(loop));

interface Keeping {
  readonly node: Node;
  readonly list: Node;
  readonly value: Node;
}

/** `list.push(x)`, `list[t] = x`, `map.set(t, x)`. */
function* keepings(facts: FileFacts): Iterable<Keeping> {
  for (const call of callsNamed(facts, "push")) {
    const list = receiver(call);
    if (list !== null) for (const value of argumentsOf(call)) yield { node: call, list, value };
  }
  for (const call of callsNamed(facts, "set")) {
    const [list, value] = [receiver(call), argumentsOf(call)[1]];
    if (list !== null && value !== undefined && holdsMap(facts, list)) yield { node: call, list, value };
  }
  for (const node of facts.yields) {
    const [value, list] = [child(node, "argument"), gatheredIn(facts, node)];
    if (value !== null && list !== null) yield { node, list, value };
  }
  for (const node of facts.assignments) {
    const left = bare(child(node, "left")!);
    const value = child(node, "right")!;
    if (node.operator !== "=" || !isMember(left) || propertyName(left) !== null) continue;
    const list = child(left, "object")!;
    if (isMember(bare(list)) && propertyName(bare(list)) === null) continue;
    if (bare(child(left, "property")!).type !== "Literal") yield { node, list, value };
  }
}

/** `states` of `const states = [...rollout(x)]`: the list of what a generator yields. */
function gatheredIn(facts: FileFacts, node: Node): Node | null {
  const fn = facts.home(node);
  for (const call of fn === null || fn.name === "" ? [] : callsNamed(facts, fn.name)) {
    const list = call.parent?.type === "SpreadElement" ? call.parent.parent : call.parent;
    const whole = list?.type === "ArrayExpression" || (list != null && calleeName(list) === "from");
    if (whole && list?.parent?.type === "VariableDeclarator") return child(list.parent, "id");
  }
  return null;
}

/** What fills a buffer, older than the loop, in each turn; null when the turn makes a new one. */
function refilled(facts: FileFacts, part: Node, loop: Node): Node | null {
  if (part.type === "SpreadElement") {
    const record = child(part, "argument")!;
    const made = facts.binding(record);
    if (made !== null && (made.kind !== "variable" || within(made.declaration, loop))) return null;
    return fillOf(facts, { key: `${valuesOf(facts).key(record)}.`, name: "", prefix: true }, loop);
  }
  const ring = ringOf(facts, part, loop);
  if (ring !== null) return fillOf(facts, { key: ring, name: "", prefix: true }, loop);
  const kept = part;
  const key = valuesOf(facts).key(kept);
  const binding = facts.binding(kept);
  if (binding !== null && (!/^(?:variable|param)$/.test(binding.kind) || within(binding.declaration, loop)))
    return null;
  const field = isMember(kept) ? propertyName(kept) : null;
  const whole = writesOf(facts).some(
    ({ node, element, objectKey, name, form }) =>
      !element &&
      /^(?:assign|destructure)$/.test(form) &&
      field !== null &&
      within(node, loop) &&
      `${objectKey}.${name}` === key,
  );
  const renewed =
    binding !== null &&
    facts.assignments.some((node) => within(node, loop) && storesInto(facts, node, binding));
  const name = field ?? binding?.name ?? "";
  if (!whole && !renewed) return fillOf(facts, { key, name }, loop);
  // two buffers in turn: the one is filled again two steps later
  const other = swappedWith(facts, key, loop);
  return other === null
    ? null
    : (fillOf(facts, { key: other, name }, loop) ?? fillOf(facts, { key, name }, loop));
}

/** `bufs[` of `const cur = bufs[t % 2]`: one of a few buffers that take turns. */
function ringOf(facts: FileFacts, kept: Node, loop: Node): string | null {
  const [made, ...more] = facts.binding(kept)?.definitions.filter(({ kind }) => kind !== "element") ?? [];
  const from = made === undefined ? bare(kept) : bare(made.expression);
  if (more.length > 0 || !isMember(from) || propertyName(from) !== null) return null;
  const index = bare(child(from, "property")!);
  if (index.type !== "BinaryExpression" || !/^[%&]$/.test(String(index.operator))) return null;
  const list = child(from, "object")!;
  const older = facts.binding(list);
  return older !== null && within(older.declaration, loop) ? null : `${valuesOf(facts).key(list)}[`;
}

/** `x = ...`, and `[x, y] = ...`. */
const storesInto = (facts: FileFacts, assignment: Node, binding: Binding): boolean =>
  leaves(child(assignment, "left")!).some(({ target }) => facts.binding(target) === binding);

/** Names that functions of the reverse sweep mention, with the functions. */
const readBack = (facts: FileFacts): ReadonlyMap<string, ReadonlySet<Fn>> =>
  facts.once("names read back", (file) => {
    const out = new Map<string, Set<Fn>>();
    for (const fn of file.functions) {
      if (!isBackward(file, fn)) continue;
      for (const node of nodesIn(file, "Identifier", fn.node)) {
        const name = String(node.name);
        out.set(name, (out.get(name) ?? new Set()).add(fn));
      }
    }
    return out;
  });

/** Names that loops of the reverse sweep mention. */
const namesInSweeps = (facts: FileFacts): ReadonlySet<string> =>
  facts.once(
    "names in sweep loops",
    (file) =>
      new Set(
        sweepLoops(file).flatMap((loop) =>
          nodesIn(file, "Identifier", loop).map((node) => String(node.name)),
        ),
      ),
  );

function listName(list: Node): string | null {
  const inner = bare(list);
  return isMember(inner) ? propertyName(inner) : identifier(inner);
}

/** The list is read in another function, one of the reverse sweep, or in a loop of a sweep after this one. */
const readInReverse = (facts: FileFacts, name: string, home: Fn, loop: Node): boolean =>
  [...(readBack(facts).get(name) ?? [])].some((fn) => fn !== home) ||
  sweepLoops(facts).some(
    (sweep) =>
      startOf(sweep) > endOf(loop) && nodesIn(facts, "Identifier", sweep).some((node) => node.name === name),
  );
