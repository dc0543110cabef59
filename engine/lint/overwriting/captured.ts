/**
 * A cotangent in a local that closures share: `let bar = 0; return { pay(c) { bar = c; } }`. What the closure is handed is one
 * contribution of several, and the local keeps the last.
 */
import type { FileFacts } from "../facts.js";
import { callsOf } from "../local.js";
import { assignmentsTo } from "../lookups.js";
import { argumentsOf, bare, child, walk, type Node } from "../tree.js";
import { assignmentsIn, readsCotangent } from "./cotangents.js";
import { branchOf } from "./guards.js";
import { multiplies } from "./parts.js";
import { isBlank } from "./slots.js";

export interface Captured {
  readonly node: Node;
  readonly target: Node;
  readonly name: string;
  /** calls that hand contributions over */
  readonly calls: readonly Node[];
}

export const capturedStores = (facts: FileFacts): readonly Captured[] =>
  facts.once("captured stores", (file) => {
    if (file.names.minified) return [];
    const out: Captured[] = [];
    for (const [home, assignments] of assignmentsIn(file))
      for (const node of assignments) {
        const target = bare(child(node, "left")!);
        const binding =
          node.operator === "=" && target.type === "Identifier" ? file.scopes.resolve(target) : null;
        if (binding?.kind !== "variable" || file.names.gradient(binding.name) < 2) continue;
        if (home.name === "" || home.parent === null || file.names.reset(home.name)) continue;
        if (file.scopes.declaredIn(binding, home.node) || binding.scope.type === "Program") continue;
        // it starts at nothing, and nobody else adds
        const starts = binding.definitions.filter(({ kind }) => kind === "initial");
        if (!starts.every(({ expression }) => isBlank(file, expression))) continue;
        if (assignmentsTo(file, binding).some(({ operator }) => operator !== "=")) continue;
        if (branchOf(node, home.node).length > 0) continue;
        const value = child(node, "right")!;
        const at = home.params.findIndex(
          (param) => file.binding(param) !== null && mentions(file, value, param),
        );
        if (at === -1 || mentions(file, value, target)) continue;
        const calls = callsOf(file, home).filter((call) => {
          const argument = argumentsOf(call)[at];
          return (
            argument !== undefined &&
            multiplies(file, argument) &&
            readsCotangent(file, argument, file.home(call))
          );
        });
        if (calls.length > 1) out.push({ node, target, name: home.name, calls });
      }
    return out;
  });

function mentions(facts: FileFacts, value: Node, name: Node): boolean {
  const binding = facts.binding(name);
  let found = false;
  walk(value, (node) => {
    found ||= node.type === "Identifier" && facts.scopes.resolve(node) === binding;
  });
  return found;
}
