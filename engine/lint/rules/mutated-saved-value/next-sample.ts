/**
 * One input node that each turn of a loop gives the next sample, while what the turns before made of it waits for one sweep after the
 * loop: `x.v = sample; total = total.plus(a.times(x));`. The sweep finds the last sample in all of them.
 */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { assignmentsTo, callsNamed, partOf } from "../../lookups.js";
import { lineOf, place } from "../../overwriting/words.js";
import { paramName } from "../../overwriting/slots.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import type { Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  isCall,
  isFunction,
  isMember,
  propertyName,
  receiver,
  startOf,
  walk,
  type Node,
} from "../../tree.js";
import { isPropertyPosition } from "../../value-forms.js";
import { valuesOf } from "../../values.js";
import { writesOf, type Write } from "../../writes.js";
import { inside, nodesIn } from "../shared/nodes.js";
import { sweepsByFunction, type Sweep } from "./before-sweep.js";
import { exclusive } from "./refills.js";
import { savedFields, type SavedField } from "./saved.js";

export function* nextSample(facts: FileFacts): Iterable<Finding> {
  const saved = ofOperands(facts);
  if (saved.length === 0) return;
  const sweeps = sweepsByFunction(facts);
  if (sweeps.size === 0) return;
  for (const write of writesOf(facts)) {
    const home = write.object === null || write.node.parent == null ? null : facts.home(write.node);
    const mine = home === null ? undefined : sweeps.get(home);
    if (home === null || mine === undefined) continue;
    const read = savedAs(saved, write);
    const owner = read === null ? null : facts.binding(rootOf(write.object!));
    if (read === null || owner === null) continue;
    const found = waitingSweep(facts, write, owner, home, mine);
    if (found === null) continue;
    yield {
      start: startOf(write.node),
      end: endOf(write.node),
      message: `\`${facts.source(write.target)}\` is stored anew in each turn, and what earlier turns made of it waits for the sweep at line ${lineOf(facts, found.call)}, which reads it (line ${lineOf(facts, read.node)}): it finds the last one in all of them. Make a node for each turn.`,
      evidence: "structural",
      related: [place(read.node, "read in the backward pass"), place(found.call, "swept here")],
    };
  }
}

/** What closures read of their operands. */
const ofOperands = (facts: FileFacts): readonly SavedField[] =>
  facts.once("saved fields of operands", (file) => {
    const values = valuesOf(file);
    return savedFields(file).filter(
      ({ objectKey, operation }) =>
        objectKey === "this" ||
        operation.params.some((param) => {
          const id = paramName(param);
          return id !== null && values.key(id) === objectKey;
        }),
    );
  });

/** A whole new array leaves the one alone that a closure holds under a name of its own. */
function savedAs(saved: readonly SavedField[], { name, element, form }: Write): SavedField | null {
  const part = element || form === "buffer-set";
  if (!part && form !== "assign") return null;
  return saved.find(({ field, node }) => field === name && (part || node.type !== "Identifier")) ?? null;
}

function rootOf(object: Node): Node {
  let root = bare(object);
  while (isMember(root)) root = bare(child(root, "object")!);
  return root;
}

/** The sweep after the loop from a root that each turn makes more of, out of the node at hand. */
function waitingSweep(
  facts: FileFacts,
  { node }: Write,
  owner: Binding,
  home: Fn,
  sweeps: readonly Sweep[],
): Sweep | null {
  for (const { node: loop } of loopsAround(facts, node)) {
    if (inside(owner.scope, loop) || inside(owner.declaration, loop)) continue;
    if (partOf(facts.calls, loop).some((call) => runsSweep(facts, call))) continue;
    const found = sweeps.find(
      ({ call, root }) =>
        startOf(call) > endOf(loop) &&
        root !== owner &&
        grownIn(facts, root, loop).some(
          (store) => !exclusive(node, store) && isMadeOf(facts, store, owner, home),
        ),
    );
    if (found !== undefined) return found;
  }
  return null;
}

const runsSweep = (facts: FileFacts, call: Node): boolean => {
  const name = calleeName(call) ?? "";
  return name !== "reverse" && facts.names.backward(name);
};

/** What a turn stores into the root, or pushes on a list that the root is made of. */
function grownIn(facts: FileFacts, root: Binding, loop: Node): readonly Node[] {
  // `loss = f(x)` replaces what the turn before made: one of them is swept
  const stored = assignmentsTo(facts, root).filter(
    (one) =>
      inside(one, loop) &&
      nodesIn(facts, "Identifier", child(one, "right")!).some((name) => facts.binding(name) === root),
  );
  const names = new Set<Binding>();
  for (const { expression, kind } of root.definitions)
    if (kind !== "element" && isCall(bare(expression)))
      walk(expression, (part) => {
        const binding = part.type === "Identifier" ? facts.binding(part) : null;
        if (binding !== null) names.add(binding);
      });
  const pushed = partOf(callsNamed(facts, "push"), loop).filter((call) => {
    const list = receiver(call);
    const binding = list === null ? null : facts.binding(list);
    return binding !== null && names.has(binding);
  });
  return [...stored.map((one) => child(one, "right")!), ...pushed.flatMap((call) => argumentsOf(call))];
}

/** The node goes into the value, through locals and functions of the file; a number that is read off it (`x.v`) does not count. */
function isMadeOf(facts: FileFacts, value: Node, owner: Binding, home: Fn): boolean {
  const fields = new Set(ofOperands(facts).map(({ field }) => field));
  const seen = new Set<Binding>();
  const queue = [value];
  let found = false;
  while (queue.length > 0 && !found)
    walk(queue.pop()!, (part) => {
      if (isMember(part) && fields.has(propertyName(part) ?? "")) return false;
      if (part.type !== "Identifier" || isPropertyPosition(part)) return;
      const binding = facts.scopes.resolve(part);
      if (binding === null || seen.has(binding)) return;
      seen.add(binding);
      if (binding === owner) found = true;
      else if (isFunction(binding.declaration) && inside(binding.declaration, home.node))
        queue.push(binding.declaration);
      else if (binding.kind === "variable" && inside(binding.declaration, home.node))
        for (const { expression, kind } of binding.definitions)
          if (kind !== "element") queue.push(expression);
      return;
    });
  return found;
}
