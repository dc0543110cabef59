/**
 * A node passes its cotangent on before all of its uses have paid it. A reverse sweep is right in any order in which
 * every use of a node comes before the node (Griewank and Walther, 2nd ed., section 3.3); the reverse of a depth-first
 * post-order is one, a preorder and a post-order are none.
 */
import type { FileFacts } from "../facts.js";
import { showsContributions } from "./shared/contributions.js";
import { showsDriver } from "./shared/drivers.js";
import { everySeverity, type Finding, type Rule } from "../report.js";
import { byteOrder, type Node } from "../tree.js";
import { chainsForwards } from "./not-reverse-topological/chains.js";
import { forwardChains } from "./not-reverse-topological/forward-chains.js";
import { foldedForwards } from "./not-reverse-topological/folds.js";
import { upwardSweeps } from "./not-reverse-topological/index-sweeps.js";
import { listsInWrongOrder } from "./not-reverse-topological/lists.js";
import { recursionsWithoutOrder, showsTotals } from "./not-reverse-topological/recursions.js";
import { visitedByValue } from "./not-reverse-topological/visited.js";
import { levels, worklists } from "./not-reverse-topological/worklists.js";
import { oncePerPlace } from "./shared/once.js";

export const notReverseTopological: Rule = {
  name: "not-reverse-topological",
  summary: "a node passes its cotangent on before all of its uses have paid it",
  severity: everySeverity("error"),
  *check(facts: FileFacts): Iterable<Finding> {
    // a chain of layers pays nobody here: each layer does in a file of its own
    const found: { node: Node; finding: Finding }[] = [...chainsForwards(facts), ...foldedForwards(facts)];
    if (showsContributions(facts) || showsDriver(facts) || showsTotals(facts))
      found.push(
        ...recursionsWithoutOrder(facts),
        ...listsInWrongOrder(facts),
        ...upwardSweeps(facts),
        ...forwardChains(facts),
        ...levels(facts),
        ...worklists(facts),
        ...visitedByValue(facts),
      );
    found.sort((a, b) => byteOrder(a.node, b.node));
    yield* oncePerPlace(found.map(({ finding }) => finding));
  },
};
