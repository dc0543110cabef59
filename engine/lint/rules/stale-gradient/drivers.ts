/** Drivers of a sweep that clear nothing, and lists of cotangents that outlive it. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { partOf } from "../../lookups.js";
import { rootOf } from "../../overwriting/exclusions.js";
import { isBlank, slotNamesOf } from "../../overwriting/slots.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import type { Binding } from "../../scopes.js";
import {
  bare,
  calleeName,
  child,
  isFunction,
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf, type Write } from "../../writes.js";
import { contributionsOf, seedsOf, stepNames } from "../shared/contributions.js";
import type { ListLoop } from "../shared/loops.js";
import { inside, nodesOf, runsIn } from "../shared/nodes.js";
import { clearedIn } from "./clearing.js";
import { runBy, spanOf } from "./places.js";
import { resets } from "./resets.js";
import { isOnes, startsOfSweeps } from "./starts.js";
import { sweepIn } from "./sweeps.js";

/** A function that seeds a node's own slot, sweeps, and clears nothing, or no more than leaves. */
export interface Driver {
  readonly fn: Fn;
  readonly start: Write;
  readonly sweep: ListLoop | null;
  readonly cleared: readonly Write[];
}

export const drivers = (facts: FileFacts): readonly Driver[] =>
  facts.once("drivers", (file) => {
    const found = new Map<Fn, Driver>();
    for (const { node, write } of startsOfSweeps(file)) {
      const fn = runsIn(file, node);
      if (fn === null || write.node !== node || found.has(fn) || fn.kind === "constructor") continue;
      // one is a common number: the slot has to be one that contributions go into, or be named for it
      const slot = slotNamesOf(file).canonical(write.name);
      if (
        file.names.gradient(write.name) === 0 &&
        !contributionsOf(file).some(
          (one) => one.slot === slot && one.weighed!.carried && one.weighed!.reverse,
        )
      )
        continue;
      if (!sweeps(file, fn, node) && sweepIn(file, { loop: fn.node, runs: new Set() }) === null) continue;
      // sums that are made anew in each sweep cannot be stale
      const root = rootOf(write.target);
      const binding = root === null ? null : file.binding(root);
      if (write.object === null && binding !== null && file.scopes.declaredIn(binding, fn.node)) continue;
      const anew = partOf(file.assignments, fn.node).some(
        (one) =>
          write.container !== "" &&
          one.operator === "=" &&
          valuesOf(file).key(child(one, "left")!) === write.container,
      );
      const driver = anew ? null : driverOf(file, fn, write);
      if (driver !== null) found.set(fn, driver);
    }
    return [...found.values()];
  });

/** Null where it sets back more than leaves, itself or by what it calls. */
function driverOf(facts: FileFacts, fn: Fn, write: Write): Driver | null {
  const runs = runBy(facts, fn);
  const blank = writesOf(facts).some(({ node, name, value }) => {
    const home = name === write.name ? runsIn(facts, node) : null;
    return home !== null && runs.has(home) && isBlank(facts, value) && !isOnes(facts, value);
  });
  const named = partOf(facts.calls, fn.node).some((call) => facts.names.reset(calleeName(call) ?? ""));
  const region = { loop: fn.node, runs };
  const sweep = sweepIn(facts, region);
  if (!blank && !named) return { fn, start: write, sweep, cleared: [] };
  if (sweep === null) return null;
  const cleared = clearedIn(facts, region, slotNamesOf(facts).canonical(write.name), sweep);
  return cleared === "all" || cleared.length === 0 ? null : { fn, start: write, sweep, cleared };
}

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
    const fn = runsIn(facts, seed.node)!;
    const sweep = sweepIn(facts, { loop: fn.node, runs: new Set() });
    yield {
      ...(sweep?.head ?? spanOf(seed.node)),
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
