/**
 * What runs more than once: bodies of loops, callbacks of array methods and of helpers that loop, frames, handlers of events,
 * functions that go on to themselves.
 */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { calledAtOnce, callsOf, localFunction } from "../../local.js";
import { callsThrough } from "../../lookups.js";
import { loopsAround } from "../../reverse.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  isFunction,
  isMember,
  literal,
  propertyName,
  receiver,
  type Node,
} from "../../tree.js";
import { inside } from "../shared/nodes.js";

/** Each once, loops first. */
export const turnsOf = (facts: FileFacts): readonly Node[] =>
  facts.once("what runs again", (file) => [
    ...new Set([
      ...file.loops,
      ...file.functions
        .filter((fn) => fn.inline && receiver(fn.node.parent!) !== null)
        .map(({ node }) => node),
      ...file.functions.filter((fn) => !fn.inline && isOfLoopingHelper(file, fn)).map(({ node }) => node),
      ...framesOf(file),
      ...handlersOf(file),
      ...goingOn(file),
    ]),
  ]);

/** `times(n, () => ...)` of a function of this file that calls what it is handed in a loop. */
function isOfLoopingHelper(facts: FileFacts, { node }: Fn): boolean {
  const call = node.parent;
  if (call == null || !calledAtOnce(facts, node)) return false;
  const param = localFunction(facts, call)?.params[argumentsOf(call).indexOf(node)];
  const binding = param === undefined ? null : facts.binding(param);
  return (
    binding !== null && callsThrough(facts, binding).some((inner) => loopsAround(facts, inner).length > 0)
  );
}

/** Functions that ask to be run again and again: `requestAnimationFrame(frame)`, `setInterval(() => ..., 16)`. */
const framesOf = (facts: FileFacts): readonly Node[] =>
  facts.calls.flatMap((call) => {
    if (!/^(?:requestAnimationFrame|setInterval|setTimeout|setImmediate)$/.test(calleeName(call) ?? ""))
      return [];
    const [given] = argumentsOf(call);
    const fn = given === undefined ? null : functionAt(facts, given);
    if (fn === null) return [];
    return calleeName(call) === "setInterval" || inside(call, fn.node) ? [fn.node] : [];
  });

const LISTENS = /^(?:addEventListener|addListener|on|subscribe|watch|listen)$/;

/** What is asked for each event: `canvas.addEventListener("pointermove", draw)`, `slider.oninput = () => ...`. */
function* handlersOf(facts: FileFacts): Iterable<Node> {
  for (const call of facts.calls) {
    if (!LISTENS.test(calleeName(call) ?? "") || receiver(call) === null) continue;
    for (const given of argumentsOf(call)) {
      const fn = functionAt(facts, given);
      if (fn !== null && !asksOnce(facts, call)) yield fn.node;
    }
  }
  for (const store of facts.assignments) {
    const target = bare(child(store, "left")!);
    if (!isMember(target) || !/^on[a-z]+$/.test(propertyName(target) ?? "")) continue;
    const fn = functionAt(facts, child(store, "right")!);
    if (fn !== null && !/^on(?:load|ready|end)/.test(propertyName(target)!)) yield fn.node;
  }
}

/** `{ once: true }`, or an event that comes once: `"load"`. */
function asksOnce(facts: FileFacts, call: Node): boolean {
  const [event, , options] = argumentsOf(call);
  const name = event === undefined ? null : literal(event);
  return (
    /^(?:load|DOMContentLoaded|unload|ready|end|close|exit)$/.test(String(name)) ||
    (options !== undefined && /\bonce\b/.test(facts.source(options)))
  );
}

/** `const step = (k) => { ...; if (k > 0) step(k - 1); }`: a loop in other words. */
const goingOn = (facts: FileFacts): readonly Node[] =>
  facts.functions
    .filter(
      (fn) =>
        !fn.inline &&
        fn.kind === "function" &&
        fn.name !== "" &&
        callsOf(facts, fn).some((call) => facts.home(call) === fn && loopsAround(facts, call).length === 0),
    )
    .map(({ node }) => node);

function functionAt(facts: FileFacts, value: Node): Fn | null {
  const inner = bare(value);
  if (isFunction(inner)) return facts.functionOf(inner);
  const binding = facts.binding(inner);
  if (binding === null) return null;
  if (isFunction(binding.declaration)) return facts.functionOf(binding.declaration);
  const [made] = binding.definitions;
  return made !== undefined && isFunction(bare(made.expression))
    ? facts.functionOf(bare(made.expression))
    : null;
}
