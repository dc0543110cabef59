/** A buffer that is older than the call: an operation fills it and its closure reads it, so that the next call fills it anew. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { assignmentsTo, callsNamed, groupBy } from "../../lookups.js";
import { operationOf } from "../../operations.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import type { Binding } from "../../scopes.js";
import {
  bare,
  calleeName,
  child,
  endOf,
  isCall,
  isFunction,
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf, type Write } from "../../writes.js";
import { inside, nodesIn } from "../shared/nodes.js";
import { counted } from "./counted.js";
import { fillingCall, fillOf } from "./refills.js";
import { sweepClosures } from "./pullbacks.js";

export function* sharedBuffers(facts: FileFacts): Iterable<Finding> {
  for (const closure of sweepClosures(facts)) {
    yield* ofNames(facts, closure, operationOf(facts, closure)!.fn);
    yield* ofFields(facts, closure, operationOf(facts, closure)!.fn);
  }
}

/** A buffer of the module, or of the function that makes the operations. */
function* ofNames(facts: FileFacts, closure: Fn, operation: Fn): Iterable<Finding> {
  const told = new Set<Binding>();
  for (const name of nodesIn(facts, "Identifier", closure.node)) {
    const local = facts.scopes.resolve(name);
    const binding = local === null ? null : behind(facts, local, operation);
    if (local === null || binding?.kind !== "variable" || told.has(binding)) continue;
    const ofModule = binding.scope.type === "Program";
    if (!ofModule && (inside(binding.scope, operation.node) || !isNoted(facts, closure, operation))) continue;
    if (facts.names.gradient(binding.name) > 0 || appended(facts, binding)) continue;
    const fills = (node: Node): boolean => facts.home(node) === operation && !inside(node, closure.node);
    const element = [
      ...writesInto(facts, binding),
      ...(local === binding ? [] : writesInto(facts, local)),
    ].find(({ node, index }) => fills(node) && (index === null ? ofModule : counted(facts, index)))?.node;
    const whole = ofModule
      ? assignmentsTo(facts, binding).find((node) => fills(node) && !isMadeWhenNeeded(facts, node, binding))
      : undefined;
    const buffer = { key: valuesOf(facts).key(name), name: binding.name };
    const change = element ?? whole ?? fillingCall(facts, buffer, operation.node, fills);
    if (change == null || filledFirst(facts, closure, name, buffer)) continue;
    told.add(binding);
    yield report(facts, binding.name, operation, change, name, binding.declaration);
  }
}

/** `if (table === null) table = build();`, `table ??= build()`: made by the first call, for all. */
function isMadeWhenNeeded(facts: FileFacts, store: Node, binding: Binding): boolean {
  if (store.operator === "??=" || store.operator === "||=") return true;
  for (let from = store, at = store.parent; at != null && !isFunction(at); from = at, at = at.parent) {
    const test = /^(?:If|Conditional)/.test(at.type) ? child(at, "test")! : null;
    if (
      test !== null &&
      from !== test &&
      nodesIn(facts, "Identifier", test).some((one) => facts.binding(one) === binding)
    )
      return true;
  }
  return false;
}

/** `this.cols` of the object that records: filled by each call, read by the closures of all. */
function* ofFields(facts: FileFacts, closure: Fn, operation: Fn): Iterable<Finding> {
  if (operation.owner === null || operation.kind !== "method" || !isNoted(facts, closure, operation)) return;
  const told = new Set<string>();
  for (const member of nodesIn(facts, "MemberExpression", closure.node)) {
    const name = propertyName(member);
    if (name === null || told.has(name) || facts.names.gradient(name) > 0 || !isRead(member)) continue;
    if (bare(child(member, "object")!).type !== "ThisExpression") continue;
    const buffer = { key: valuesOf(facts).key(member), name };
    const fills = (node: Node): boolean => facts.home(node) === operation && !inside(node, closure.node);
    const element = writesOf(facts).find(
      ({ node, element: one, container, index, form }) =>
        one &&
        container === buffer.key &&
        form === "assign" &&
        index !== null &&
        bare(index).type !== "Literal" &&
        fills(node) &&
        counted(facts, index),
    )?.node;
    const change = element ?? fillingCall(facts, buffer, operation.node, fills);
    if (change === null || renewed(facts, name, operation) || paidFor(facts, closure)) continue;
    if (filledFirst(facts, closure, member, buffer)) continue;
    told.add(name);
    yield report(facts, `this.${name}`, operation, change, member, null);
  }
}

/** Operations of nodes pay the object they stand in: what it holds is the node's own. */
const paidFor = (facts: FileFacts, closure: Fn): boolean =>
  writesOf(facts).some(({ node, objectKey }) => objectKey === "this" && inside(node, closure.node));

const isRead = ({ parent }: Node): boolean =>
  parent != null && isMember(parent) && propertyName(parent) === null;

/** `this.cols = new Float64Array(n)` in the operation: one for each call. */
const renewed = (facts: FileFacts, name: string, operation: Fn): boolean =>
  writesOf(facts).some(
    (write) =>
      write.objectKey === "this" &&
      write.name === name &&
      !write.element &&
      /^(?:assign|default)$/.test(write.form) &&
      inside(write.node, operation.node),
  );

/** The closure fills the buffer itself before it reads it: a place to work in. */
function filledFirst(
  facts: FileFacts,
  closure: Fn,
  read: Node,
  buffer: { readonly key: string; readonly name: string },
): boolean {
  const own = fillOf(facts, buffer, closure.node);
  return own !== null && startOf(own) <= startOf(read);
}

/** `tape.push(() => ...)`: one of many; a layer that is used once in a pass gives its pullback back. */
function isNoted(facts: FileFacts, closure: Fn, operation: Fn): boolean {
  let at = closure.node.parent ?? null;
  while (at !== null && at !== operation.node && !isCall(at)) at = at.parent ?? null;
  const list = at === null || !isCall(at) || calleeName(at) !== "push" ? null : receiver(at);
  if (list === null) return false;
  const binding = facts.binding(list);
  return binding === null || !inside(binding.scope, operation.node);
}

/** `const p = scratch;`: another name of a buffer from outside of the operation. */
function behind(facts: FileFacts, local: Binding, operation: Fn): Binding {
  const [only, ...more] = local.definitions.filter(({ kind }) => kind !== "element");
  if (only === undefined || more.length > 0 || only.kind !== "initial" || only.path.length > 0) return local;
  const root = facts.binding(only.expression);
  return root?.kind === "variable" &&
    inside(local.scope, operation.node) &&
    !inside(root.scope, operation.node)
    ? root
    : local;
}

/** Writes into a name or into an element or field of it. */
const writesInto = (facts: FileFacts, binding: Binding): readonly Write[] =>
  facts
    .once("writes by name", (file) =>
      groupBy(writesOf(file), ({ target }) => {
        const inner = bare(target);
        return file.binding(isMember(inner) ? child(inner, "object")! : inner);
      }),
    )
    .get(binding) ?? [];

/** A list that only grows keeps a place for each. */
function appended(facts: FileFacts, binding: Binding): boolean {
  return callsNamed(facts, "push").some((call) => {
    const list = receiver(call);
    return list !== null && facts.binding(list) === binding;
  });
}

function report(
  facts: FileFacts,
  what: string,
  operation: Fn,
  change: Node,
  read: Node,
  made: Node | null,
): Finding {
  return {
    start: startOf(change),
    end: endOf(change),
    message: `\`${what}\` is one place for all calls of \`${operation.name}\`, and the backward pass reads it (line ${lineOf(facts, read)}): the next call replaces what this one keeps there. Make one for each call.`,
    evidence: "structural",
    related: [place(read, "read in the backward pass"), ...(made === null ? [] : [place(made, "made once")])],
  };
}
