/** What the gradient is the gradient of, and the outputs no derivative flows from. */
import type { OutputInfo } from "../../engine/trace/trace.js";
import { fullNumber, shortNumber } from "../../engine/report/text/number.js";

/**
 * The scalar whose derivatives the sweep computes, as it stands under the d: "L", "(2 L)" where it is seeded with 2, "(sum
 * of outputs)" of several or of the elements of one, "(weighted sum of outputs)" where their cotangents are not all 1.
 */
export function seededTitle(outputs: readonly OutputInfo[], titleOf: (node: number) => string): string {
  const live = outputs.filter((output) => output.node >= 0);
  if (live.length === 0) return "output";
  const plain = live.every(({ cotangent, seed }) =>
    seed === undefined ? cotangent === 1 : seed.data.every((x) => x === 1),
  );
  const [{ node, array, cotangent }] = live;
  if (live.length === 1 && array === undefined)
    return plain ? titleOf(node) : `(${shortNumber(cotangent)} ${titleOf(node)})`;
  return `(${plain ? "sum" : "weighted sum"} of ${live.length === 1 ? titleOf(node) : "outputs"})`;
}

/** "output = 5, a constant: no derivative flows from it", one line for each output that was never traced. */
export function constantTexts(outputs: readonly OutputInfo[]): string[] {
  return outputs
    .filter((output) => output.node < 0)
    .map(({ key, value }) => {
      const name = key === null ? "output" : typeof key === "number" ? `output [${key}]` : `output ${key}`;
      return `${name} = ${fullNumber(value)}, a constant: no derivative flows from it`;
    });
}
