/** Operations in place: they change the value of a node that they are handed, give the node back, and leave no closure behind. */
import type { FileFacts } from "../../facts.js";
import { paramName } from "../../overwriting/slots.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { endOf, startOf, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf } from "../../writes.js";
import { savedFields } from "./saved.js";

/** Functions that move parameters, restore and fill: they run outside of forward and backward pass. */
const OUTSIDE =
  /step|optim|update|descen|train|sgd|adam|fit|load|copy|init|set|reset|clear|zero|assign|random|noise|seed/i;

export function* inPlaceOperations(facts: FileFacts): Iterable<Finding> {
  const saved = savedFields(facts);
  if (saved.length === 0) return;
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
    if (!handed || !home.returns.some((value) => values.key(value) === write.objectKey)) continue;
    // another operation reads the field of its operand when the sweep comes
    const reader = saved.find(
      ({ field, operation, objectKey }) =>
        field === write.name &&
        operation !== home &&
        (objectKey === "this" || isParamKey(facts, operation.params, objectKey)),
    );
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
      related: [place(reader.node, "read in the backward pass")],
    };
  }
}

const isParamKey = (facts: FileFacts, params: readonly Node[], key: string): boolean =>
  params.some((param) => {
    const id = paramName(param);
    return id !== null && valuesOf(facts).key(id) === key;
  });
