/** Pullbacks in files that pay nobody: stages that hand closures back, layers with a backward method. */
import type { FileFacts } from "../../facts.js";
import { isBackward } from "../../overwriting/entries.js";
import { multiplies } from "../../overwriting/parts.js";
import { keptAs, mentionsNode } from "./nodes.js";

export const showsPullbacks = (facts: FileFacts): boolean =>
  facts.once(
    "shows pullbacks",
    (file) =>
      !file.names.minified &&
      (file.functions.some(
        (fn) => fn.kind === "method" && fn.params.length > 0 && fn.returns.length > 0 && isBackward(file, fn),
      ) ||
        pulls(file)),
  );

/** A function kept under a name of the subject that scales what it is handed: `{ y, pull: (bar) => bar * k }`. */
const pulls = (facts: FileFacts): boolean =>
  !facts.names.minified &&
  facts.functions.some((fn) => {
    const [param] = fn.params;
    const key = param === undefined || fn.inline ? null : facts.binding(param);
    return (
      key !== null &&
      ([fn.name, ...keptAs(facts, fn)].some(
        (name) => name !== "" && (facts.names.backward(name) || /pull|vjp|adjoint/i.test(name)),
      ) ||
        // `return [x * t, (bar) => bar * t]`
        (fn.node.parent?.type === "ArrayExpression" && facts.names.gradient(key.name) > 0)) &&
      fn.returns.some(
        (value) => multiplies(facts, value) && mentionsNode(value, (node) => facts.binding(node) === key),
      )
    );
  });
