/**
 * A backward function that works its gradient out in the very array that the forward pass saved: `const dx = this.x; dx[i] = g[i] * w[i];`.
 * The array belongs to the one who made it, whose own backward function has yet to read it.
 */
import type { FileFacts } from "../../facts.js";
import { operationOf } from "../../operations.js";
import { isBackward } from "../../overwriting/entries.js";
import { isBlank, paramName } from "../../overwriting/slots.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { bare, child, endOf, isMember, literal, propertyName, startOf, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf, type Write } from "../../writes.js";
import { contributionsOf } from "../shared/contributions.js";
import { inside, nodesIn } from "../shared/nodes.js";
import { isCopied } from "./copies.js";
import { classOf, isMethod, keepsOf } from "./layer-keeps.js";
import { makesItsKind, sweepClosures } from "./pullbacks.js";
import { filledKey } from "./refills.js";
import { savedFields } from "./saved.js";

/** Layers: the input that one keeps is the output that the layer before may have kept. */
export function* writtenBackByLayers(facts: FileFacts): Iterable<Finding> {
  const told = new Set<Node>();
  for (const keep of keepsOf(facts)) {
    if (keep.param < 0) continue;
    const write = writesOf(facts).find(
      (one) =>
        inside(one.node, keep.backward.node) &&
        fillsWhat(facts, one, `this.${keep.field}`) &&
        !isStoredIn(facts, keep.field, keep.backward.node),
    );
    const reader = write === undefined ? null : outputReader(facts);
    if (write === undefined || reader === null || told.has(write.node)) continue;
    told.add(write.node);
    yield report(
      facts,
      write.node,
      keep.node,
      reader,
      "the layer before gave it out and reads it after this one",
    );
  }
}

/** Operations: the value of an operand is read by the closures of those that made it, and of the others that use it. */
export function* writtenBack(facts: FileFacts): Iterable<Finding> {
  const values = valuesOf(facts);
  const saved = savedFields(facts);
  if (saved.length === 0) return;
  const closures = new Set(sweepClosures(facts));
  for (const write of writesOf(facts)) {
    const home = facts.home(write.node);
    const key = home === null || !closures.has(home) ? null : filledKey(write);
    const at = key === null ? null : /^(.*)\.([\w$#]+)$/.exec(key);
    if (home === null || at === null || literal(write.value) !== undefined || isCopied(facts, write.target))
      continue;
    const [, object, field] = at;
    // a slot under a name of its own is written by closures, and read by no forward pass
    if (!readForward(facts).has(field) || contributionsOf(facts).some((one) => one.write.name === field))
      continue;
    const operation = operationOf(facts, home)!.fn;
    const operand =
      object === "this"
        ? makesItsKind(facts, operation)
        : operation.params.some((param) => {
            const id = paramName(param);
            return id !== null && values.key(id) === object;
          });
    const reader = operand ? saved.find((one) => one.field === field && one.closure !== home) : undefined;
    if (reader !== undefined)
      yield report(
        facts,
        write.node,
        home.node,
        reader.node,
        "other operations of the operand read it in the same sweep",
      );
  }
}

/** Fields that operations read before their closures run. */
const readForward = (facts: FileFacts): ReadonlySet<string> =>
  facts.once("fields read by operations", (file) => {
    const out = new Set<string>();
    const closures = new Set(sweepClosures(file));
    for (const operation of new Set([...closures].map((fn) => operationOf(file, fn)!.fn)))
      for (const member of nodesIn(file, "MemberExpression", operation.node)) {
        const name = propertyName(member);
        const home = name === null ? null : file.home(member);
        if (home === operation && member.parent != null && isMember(member.parent)) out.add(name!);
      }
    return out;
  });

const fillsWhat = (facts: FileFacts, write: Write, key: string): boolean =>
  filledKey(write) === key &&
  literal(write.value) === undefined &&
  !isCopied(facts, write.target) &&
  !isBlank(facts, write.value);

/** `this.x = null`, `this.x = new Float64Array(n)` in the backward method: another array. */
const isStoredIn = (facts: FileFacts, field: string, region: Node): boolean =>
  writesOf(facts).some(
    ({ node, element, objectKey, name }) =>
      !element && objectKey === "this" && name === field && inside(node, region),
  );

/** Where a backward method reads the array that its forward method keeps and gives back. */
const outputReader = (facts: FileFacts): Node | null =>
  facts.once("reads of kept outputs", (file) => {
    const given = keepsOf(file).find(({ param }) => param === -1);
    if (given !== undefined) return given.read;
    for (const backward of file.functions) {
      if (!isMethod(backward) || !isBackward(file, backward)) continue;
      const read = nodesIn(file, "MemberExpression", backward.node).find(
        (member) =>
          isOwn(member) &&
          member.parent != null &&
          isMember(member.parent) &&
          isGiven(file, member, backward.node),
      );
      if (read !== undefined) return read;
    }
    return null;
  });

const isOwn = (node: Node): boolean =>
  isMember(node) && propertyName(node) !== null && bare(child(node, "object")!).type === "ThisExpression";

/** The forward method of the class gives the field back. */
function isGiven(facts: FileFacts, member: Node, backward: Node): boolean {
  const home = facts.functionOf(backward);
  return facts.functions.some(
    (fn) =>
      isMethod(fn) &&
      home !== null &&
      classOf(fn) === classOf(home) &&
      !isBackward(facts, fn) &&
      fn.kind === "method" &&
      fn.params.length > 0 &&
      fn.returns.some((value) => isOwn(bare(value)) && propertyName(bare(value)) === propertyName(member)),
  );
}

function report(facts: FileFacts, change: Node, kept: Node, reader: Node, why: string): Finding {
  return {
    start: startOf(change),
    end: endOf(change),
    message: `\`${facts.source(change).replace(/\s+/g, " ").slice(0, 50)}\` writes the gradient over a value of the forward pass; ${why}. Write into a new array.`,
    evidence: "structural",
    related: [place(kept, "kept by reference"), place(reader, "read in the backward pass")],
  };
}
