/** Does a file show reverse-mode code at all? Rules do no work where it does not. */
import type { FileFacts } from "../facts.js";
import { isBackward } from "./evidence.js";
import { judgedWrites } from "./judge.js";

/** A write of the reverse sweep, right or wrong, or a function named for it together with a slot named for a gradient. */
export const showsReverseMode = (facts: FileFacts): boolean =>
  facts.once("shows reverse mode", (file) => {
    const all = judgedWrites(file);
    if (
      all.some(
        ({ verdict, weighed }) =>
          verdict === "overwrites" ||
          (verdict === "accumulates" &&
            weighed !== null &&
            weighed.carried &&
            weighed.reverse &&
            weighed.upstream !== null),
      )
    )
      return true;
    return (
      file.functions.some((fn) => isBackward(file, fn)) &&
      all.some(({ write }) => file.names.gradient(write.name) === 2)
    );
  });
