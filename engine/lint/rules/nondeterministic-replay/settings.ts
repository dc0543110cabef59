/** Variables of the module that other code sets between the two passes: modes, temperatures, gains. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { assignmentsTo, callsFrom } from "../../lookups.js";
import type { Binding } from "../../scopes.js";
import {
  bare,
  child,
  children,
  isCall,
  isFunction,
  keyName,
  literal,
  propertyName,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { inside, nodesIn, runsIn, targetsOf } from "../shared/nodes.js";
import { flowsOut } from "./flows-out.js";
import { isSetter } from "./generators.js";
import { isMadeOnce } from "./made-once.js";
import { decides, type Source } from "./sources.js";

/** A variable of the module that another function sets, read in a test or in arithmetic. */
export function globalIn(facts: FileFacts, fn: Fn, why: Node | null): Source | null {
  for (const node of nodesIn(facts, "Identifier", fn.node)) {
    if (runsIn(facts, node) !== fn) continue;
    const binding = facts.scopes.resolve(node);
    if (binding === null || binding.scope.type !== "Program" || binding.kind !== "variable") continue;
    const set = assignmentsTo(facts, binding).find(
      (other) => facts.home(other) !== null && facts.home(other) !== fn,
    );
    if (set === undefined || /grad|enabled|record|tape|trac/i.test(binding.name)) continue;
    if (isMadeOnce(facts, binding) || isSetFor(facts, binding, why)) continue;
    if (isSetting(binding) && isLocalCopy(node) && flowsOut(facts, fn, [node]))
      return { node, what: `\`${binding.name}\`, a global that other code sets,` };
    if (decides(node) || nodesIn(facts, "BinaryExpression", fn.node).some((part) => inside(node, part)))
      return { node, what: `\`${binding.name}\`, a global that other code sets,` };
  }
  return null;
}

/** `cfg.temperature`, a field of an object of the module that a loop or a step of the file sets in between. */
export function fieldIn(facts: FileFacts, fn: Fn, why: Node | null): Source | null {
  for (const node of nodesIn(facts, "MemberExpression", fn.node)) {
    if (runsIn(facts, node) !== fn || !isSettingField(facts, node)) continue;
    const key = valuesOf(facts).key(node);
    const stores = facts.assignments.filter((one) => valuesOf(facts).key(child(one, "left")!) === key);
    if (stores.some((one) => inside(one, fn.node))) continue;
    const set = stores.some((one) => {
      const home = facts.home(one);
      return home !== null && !isSetter(home);
    });
    const before = why === null ? null : facts.home(why);
    if (!set || (before !== null && stores.some((one) => inside(one, before.node)))) continue;
    if (decides(node) && flowsOut(facts, fn, [node]))
      return { node, what: `\`${facts.source(node)}\`, which other code sets,` };
  }
  return null;
}

function isSettingField(facts: FileFacts, member: Node): boolean {
  const binding = facts.binding(child(member, "object")!);
  const name = propertyName(member);
  if (binding?.kind !== "variable" || binding.scope.type !== "Program" || name === null) return false;
  const [made] = binding.definitions.filter(({ kind }) => kind === "initial");
  const record = made === undefined ? null : bare(made.expression);
  return (
    record?.type === "ObjectExpression" &&
    children(record, "properties").some(
      (one) =>
        one?.type === "Property" &&
        keyName(child(one, "key")!, one.computed === true) === name &&
        /^(?:number|string|boolean)$/.test(typeof literal(child(one, "value")!)),
    )
  );
}

/** It begins as a number, a text or a flag. */
const isSetting = ({ definitions }: Binding): boolean =>
  definitions.some(
    ({ kind, expression }) =>
      kind === "initial" && /^(?:number|string|boolean)$/.test(typeof literal(expression)),
  );

/** `const k = gain;`. */
const isLocalCopy = (node: Node): boolean =>
  node.parent?.type === "VariableDeclarator" && child(node.parent, "init") === node;

/** What runs the step again sets the variable first, itself or by what it hands the step to: `mode = kept; f(x);`. */
function isSetFor(facts: FileFacts, binding: Binding, why: Node | null): boolean {
  const later = why === null ? null : facts.home(why);
  if (why === null || later === null) return false;
  const sets = (fn: Fn): boolean => assignmentsTo(facts, binding).some((one) => inside(one, fn.node));
  for (let at: Node | null | undefined = why.parent; at != null && !isFunction(at); at = at.parent)
    if (isCall(at) && targetsOf(facts, at).some(sets)) return true;
  if (sets(later)) return true;
  // `withGain(gain, () => f(x))`
  const around = later.node.parent;
  if (around != null && isCall(around) && targetsOf(facts, around).some(sets)) return true;
  return callsFrom(facts, later).some(
    (call) => call !== why && startOf(call) < startOf(why) && targetsOf(facts, call).some(sets),
  );
}
