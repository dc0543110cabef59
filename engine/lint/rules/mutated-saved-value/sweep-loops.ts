/** Loops that run towards the inputs and work a cotangent on: where values of the forward pass are read back. */
import type { FileFacts } from "../../facts.js";
import { partOf } from "../../lookups.js";
import { isBackward } from "../../overwriting/entries.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  identifier,
  isCall,
  isMember,
  propertyName,
  walk,
  type Node,
} from "../../tree.js";
import { multiplies } from "../../overwriting/parts.js";
import { loopsOf } from "../shared/all-loops.js";
import { contributionsOf } from "../shared/contributions.js";
import { inside, runsIn } from "../shared/nodes.js";

/** Loops that run backwards and pay, or multiply a cotangent on in each turn. */
export const sweepLoops = (facts: FileFacts): readonly Node[] =>
  facts.once("loops of the reverse sweep", (file) =>
    loopsOf(file)
      .filter(
        ({ reverse, node }) =>
          reverse &&
          (pays(file, node) || multipliesOn(file, node, false) || handsOn(file, node) || gathers(file, node)),
      )
      .map(({ node }) => node),
  );

/** `lambda = stepAdjoint(states[k], lambda);`: a function that is named for the sweep works a cotangent on. */
const handsOn = (facts: FileFacts, loop: Node): boolean =>
  partOf(facts.assignments, loop).some((node) => {
    const call = bare(child(node, "right")!);
    const name = node.operator === "=" && isCall(call) ? (calleeName(call) ?? "") : "";
    const target =
      name === "reverse" || !facts.names.backward(name) ? null : facts.binding(child(node, "left")!);
    return target !== null && argumentsOf(call).some((one) => facts.binding(one) === target);
  });

/** `p.x += dt * Math.cos(at.x) * v.y` in a function that is named for a gradient: it works one on in the parts of vectors. */
function gathers(facts: FileFacts, loop: Node): boolean {
  const fn = runsIn(facts, loop);
  return (
    fn !== null &&
    facts.names.gradient(fn.name) === 2 &&
    partOf(facts.assignments, loop).some(
      (node) =>
        node.operator === "+=" &&
        isMember(bare(child(node, "left")!)) &&
        multiplies(facts, child(node, "right")!),
    )
  );
}

/** It pays, works a cotangent on, or stands in a function that is named for the sweep. */
export function pays(facts: FileFacts, loop: Node): boolean {
  const fn = runsIn(facts, loop);
  return (
    (fn !== null && isBackward(facts, fn)) ||
    contributionsOf(facts).some(({ write }) => inside(write.node, loop)) ||
    partOf(facts.assignments, loop).some((node) => {
      const name = nameOf(child(node, "left")!);
      return name !== null && facts.names.gradient(name) > 0;
    })
  );
}

function nameOf(target: Node): string | null {
  const inner = bare(target);
  return isMember(inner) ? propertyName(inner) : identifier(inner);
}

/** `xBar`, and `xb` of the generated style (Hascoet and Pascual, The Tapenade automatic differentiation tool, 2013). */
const cotangent = (facts: FileFacts, name: string, sure: boolean): boolean =>
  facts.names.gradient(name) > (sure ? 1 : 0) || (!sure && /^[a-z]\w{0,3}b$/.test(name));

/** `bar *= k * x`, `xBar = -xBar * f(x)`: the chain rule, a factor a turn. `sure`: of a name that means nothing else. */
export const multipliesOn = (facts: FileFacts, loop: Node, sure: boolean): boolean =>
  partOf(facts.assignments, loop).some((node) => {
    const target = bare(child(node, "left")!);
    // `bar[i] *= k`: an array of them, under a name that means nothing else
    const element = isMember(target) && propertyName(target) === null;
    const name = identifier(element ? bare(child(target, "object")!) : target);
    if (name === null || !cotangent(facts, name, sure || element)) return false;
    if (node.operator === "*=") return true;
    if (node.operator !== "=") return false;
    let found = false;
    walk(child(node, "right")!, (part) => {
      if (part.type === "Identifier" && part.name === name) found = true;
    });
    return found;
  });
