/** Drivers of a sweep that clear nothing, and lists of cotangents that outlive it. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { rootOf } from "../../overwriting/exclusions.js";
import { isBlank, slotNamesOf } from "../../overwriting/slots.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { isOne } from "../../reverse.js";
import type { Binding } from "../../scopes.js";
import {
  bare,
  calleeName,
  child,
  endOf,
  isFunction,
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { writesOf } from "../../writes.js";
import { contributionsOf, seedsOf, stepNames } from "../shared/contributions.js";
import { inside, nodesOf, runsIn } from "../shared/nodes.js";
import { resets } from "./resets.js";

/** Functions that seed a node's own slot, sweep, and clear nothing. */
export const drivers = (facts: FileFacts): readonly Fn[] =>
  facts.once("drivers", (file) => {
    const found = new Set<Fn>();
    for (const seed of seedsOf(file)) {
      const fn = runsIn(file, seed.node);
      const write = writesOf(file).find(({ node }) => node === seed.node);
      if (fn === null || write === undefined || found.has(fn) || fn.kind === "constructor") continue;
      // one is a common number: the slot has to be one that contributions go into, or be named for it
      const slot = slotNamesOf(file).canonical(write.name);
      if (
        file.names.gradient(write.name) === 0 &&
        !contributionsOf(file).some(
          (one) => one.slot === slot && one.weighed!.carried && one.weighed!.reverse,
        )
      )
        continue;
      if (!sweeps(file, fn, seed.node)) continue;
      // sums that are made anew in each sweep cannot be stale
      const root = rootOf(write.target);
      const binding = root === null ? null : file.binding(root);
      if (write.object === null && binding !== null && file.scopes.declaredIn(binding, fn.node)) continue;
      const clears =
        resets(file).some(({ node }) => runsIn(file, node) === fn) ||
        writesOf(file).some(
          ({ node, name, value }) =>
            runsIn(file, node) === fn && name === write.name && isBlank(file, value) && !isOne(value),
        ) ||
        file.calls.some((call) => runsIn(file, call) === fn && file.names.reset(calleeName(call) ?? ""));
      if (!clears) found.add(fn);
    }
    return [...found];
  });

function sweeps(facts: FileFacts, fn: Fn, after: Node): boolean {
  const names = stepNames(facts);
  return (
    contributionsOf(facts).some(
      ({ write }) => inside(write.node, fn.node) && startOf(write.node) > startOf(after),
    ) ||
    facts.calls.some((call) => {
      const name = calleeName(call) ?? "";
      return (
        inside(call, fn.node) &&
        startOf(call) > startOf(after) &&
        (names.has(name) || facts.names.backward(name))
      );
    })
  );
}

/** A list of cotangents of the module, which each sweep adds to and none clears. */
export function* keptBetween(facts: FileFacts): Iterable<Finding> {
  const seen = new Set<Binding>();
  for (const seed of seedsOf(facts)) {
    const write = writesOf(facts).find(({ node }) => node === seed.node)!;
    // in a map by node those of the next run may all be new
    if (write.object !== null || write.container === "" || write.form === "map-set") continue;
    const root = rootOf(write.target);
    const binding = root === null ? null : facts.binding(root);
    if (
      binding === null ||
      binding.scope.type !== "Program" ||
      binding.kind !== "variable" ||
      seen.has(binding)
    )
      continue;
    const sums = contributionsOf(facts).some(
      ({ write: one, verdict }) => one.container === write.container && verdict === "accumulates",
    );
    const cleared =
      binding.definitions.filter(({ kind }) => kind === "assigned").length > 0 ||
      resets(facts).some(({ container }) => container === write.container) ||
      clearedByLength(facts, binding);
    if (!sums || cleared || runsIn(facts, seed.node) === null) continue;
    seen.add(binding);
    yield {
      start: startOf(seed.node),
      end: endOf(seed.node),
      message: `\`${binding.name}\` outlives the sweep, which seeds it and adds to it and never clears it: the next sweep starts from what this one leaves.`,
      evidence: "structural",
      related: [place(binding.declaration, "made once")],
    };
  }
}

function clearedByLength(facts: FileFacts, binding: Binding): boolean {
  return (
    nodesOf(facts, "AssignmentExpression").some((node) => {
      const left = bare(child(node, "left")!);
      return (
        isMember(left) && propertyName(left) === "length" && facts.binding(child(left, "object")!) === binding
      );
    }) ||
    facts.calls.some((call) => {
      const object = receiver(call);
      return (
        object !== null &&
        facts.binding(object) === binding &&
        /^(?:clear|fill|splice|delete)$/.test(calleeName(call) ?? "")
      );
    }) ||
    isFunction(binding.declaration)
  );
}
