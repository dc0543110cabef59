/** Does a file show reverse-mode code at all? Rules do no work where it does not. */
import type { FileFacts } from "../facts.js";
import { isBackward } from "./entries.js";
import { judgedWrites } from "./judge.js";
import { startsOf } from "./slots.js";

/** A write of the reverse sweep, right or wrong, or a function named for it together with a slot named for a gradient. */
export const showsReverseMode = (facts: FileFacts): boolean =>
  facts.once("shows reverse mode", (file) => {
    // nobody writes an engine in the form that a minifier gives it
    if (file.names.minified) return false;
    const all = judgedWrites(file);
    const { one } = startsOf(file);
    const named = file.functions.some((fn) => isBackward(file, fn));
    if (
      all.some(
        ({ verdict, weighed, write, slot }) =>
          verdict === "overwrites" ||
          (verdict === "accumulates" &&
            weighed !== null &&
            weighed.carried &&
            weighed.reverse &&
            weighed.upstream !== null &&
            // short names in loops that count down are those of eigenvalues and searches, too
            (file.names.gradient(write.name) === 2 || weighed.operation !== null || named || one.has(slot))),
      )
    )
      return true;
    return (
      file.functions.some((fn) => isBackward(file, fn)) &&
      all.some(({ write }) => file.names.gradient(write.name) === 2)
    );
  });
