/** Operations in place: they change the value of a node that they are handed, give the node back, and leave no closure behind. */
import type { FileFacts } from "../../facts.js";
import { paramName } from "../../overwriting/slots.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { isBackward } from "../../overwriting/entries.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  isMember,
  propertyName,
  startOf,
  type Node,
} from "../../tree.js";
import { FORM } from "../../value-forms.js";
import { valuesOf } from "../../values.js";
import { writesOf, type Write } from "../../writes.js";
import { nodesIn } from "../shared/nodes.js";
import { savedFields } from "./saved.js";

/** Functions that move parameters, restore and fill: they run outside of forward and backward pass. */
const OUTSIDE =
  /step|optim|update|descen|train|sgd|adam|fit|load|copy|init|set|reset|clear|zero|assign|random|noise|seed/i;

export function* inPlaceOperations(facts: FileFacts): Iterable<Finding> {
  const saved = savedFields(facts);
  const inContexts = savedInContexts(facts);
  if (saved.length === 0 && inContexts.size === 0) return;
  const values = valuesOf(facts);
  for (const write of writesOf(facts)) {
    if (write.object === null || !write.element || !/^(?:assign|add|scale)$/.test(write.form)) continue;
    const home = facts.home(write.node);
    if (home === null || home.kind === "constructor" || home.name === "" || OUTSIDE.test(home.name)) continue;
    const handed =
      write.objectKey === "this"
        ? home.kind === "method"
        : home.params.some((param) => {
            const id = paramName(param);
            return id !== null && values.key(id) === write.objectKey;
          });
    if (!handed || !home.returns.some((value) => givesBack(facts, value, write))) continue;
    // another operation reads the field of its operand when the sweep comes
    const reader =
      saved.find(
        ({ field, operation, objectKey }) =>
          field === write.name &&
          operation !== home &&
          (objectKey === "this" || isParamKey(facts, operation.params, objectKey)),
      )?.node ?? inContexts.get(write.name);
    if (reader === undefined) continue;
    const reads = values.reads(write.value);
    const gradient = reads.some((read) => read.kind === "field" && facts.names.gradient(read.name) > 0);
    const itself =
      write.form !== "assign" ||
      reads.some((read) => read.kind === "element" && read.container === write.container);
    if (gradient || !itself) continue;
    yield {
      start: startOf(write.node),
      end: endOf(write.node),
      message: `\`${home.name}\` changes the value of a node in place and gives the node back: operations that used the node before read the new value when the sweep comes. Make a new node.`,
      evidence: "structural",
      related: [place(reader, "read in the backward pass")],
    };
  }
}

/** The node itself, or one around the array that was changed. */
function givesBack(facts: FileFacts, value: Node, write: Write): boolean {
  const values = valuesOf(facts);
  if (values.key(value) === write.objectKey) return true;
  const local = facts.binding(value)?.definitions.find(({ kind }) => kind === "initial");
  const made = bare(local?.expression ?? value);
  return (
    made.type === "NewExpression" &&
    argumentsOf(made).some((one) => isMember(bare(one)) && values.key(one) === write.container)
  );
}

/** `y.data` of `const [y] = ctx.saved` in a backward function: the field of a node that an operation saved itself. */
const savedInContexts = (facts: FileFacts): ReadonlyMap<string, Node> =>
  facts.once("fields of nodes saved in contexts", (file) => {
    const out = new Map<string, Node>();
    const saves = file.calls.some(
      (call) =>
        /^_*save/i.test(calleeName(call) ?? "") &&
        argumentsOf(call).some((one) => file.binding(one) !== null),
    );
    if (!saves) return out;
    for (const fn of file.functions) {
      if (!isBackward(file, fn)) continue;
      for (const member of nodesIn(file, "MemberExpression", fn.node)) {
        const name = propertyName(member);
        const binding = name === null ? null : file.binding(child(member, "object")!);
        const [made] = binding?.definitions ?? [];
        const from = made === undefined ? null : bare(made.expression);
        const holder = from === null ? null : isMember(from) ? propertyName(from) : calleeName(from);
        if (name !== null && !FORM.has(name) && /saved|kept/i.test(holder ?? "")) out.set(name, member);
      }
    }
    return out;
  });

const isParamKey = (facts: FileFacts, params: readonly Node[], key: string): boolean =>
  params.some((param) => {
    const id = paramName(param);
    return id !== null && valuesOf(facts).key(id) === key;
  });
