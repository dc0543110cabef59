/** The loops of a file, callbacks of array methods among them. */
import type { FileFacts } from "../../facts.js";
import { loopsAround, type Loop } from "../../reverse.js";
import { child } from "../../tree.js";

export const loopsOf = (facts: FileFacts): readonly Loop[] =>
  facts.once("loops and callbacks", (file) => {
    const bodies = [
      ...file.loops.map((node) => child(node, "body")),
      ...file.functions.filter(({ inline }) => inline).map(({ node }) => child(node, "body")),
    ];
    return bodies.flatMap((body) => {
      // the body may be a loop itself
      const loop =
        body === null ? undefined : loopsAround(file, body).find((one) => child(one.node, "body") === body);
      return loop === undefined ? [] : [loop];
    });
  });
