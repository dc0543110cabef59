/** Calls that give something else each time: random numbers, clocks, generators of the module. */
import type { FileFacts } from "../../facts.js";
import { localFunction } from "../../local.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  identifier,
  isCall,
  isMember,
  keyName,
  propertyName,
  receiver,
  type Node,
} from "../../tree.js";
import { inside } from "../shared/nodes.js";
import { generatorCall } from "./generators.js";
import { isCarried } from "./iterators.js";

/** `Math.random()`, `Date.now()`, `performance.now()`, `new Date()`, `crypto.getRandomValues(...)`. */
export function sourceCall(facts: FileFacts, call: Node): string | null {
  const name = calleeName(call) ?? "";
  const object = receiver(call);
  const on = object === null ? "" : (identifier(bare(object)) ?? propertyName(bare(object)) ?? "");
  if (object !== null && name === "next" && (isStream(facts, object, true) || isCarried(facts, call, object)))
    return `the stream \`${facts.source(object)}\``;
  const moved = generatorCall(facts, call);
  if (moved !== null) return moved;
  if (object !== null && bare(object).type === "ThisExpression" && isRandomField(facts, name))
    return "`Math.random`";
  if (object !== null && facts.binding(object) !== null) return null;
  if (object === null && isAlias(facts, call)) return "`Math.random`";
  if (object === null && isStream(facts, child(call, "callee")!, false)) return `the stream \`${name}\``;
  if (on === "Math" && name === "random") return "`Math.random`";
  if ((on === "Date" || on === "performance") && name === "now") return `\`${on}.now\``;
  if (on === "process" && /^(?:hrtime|uptime)$/.test(name)) return `\`process.${name}\``;
  if (on === "crypto" && /^random(?!UUID)|^getRandom/.test(name)) return `\`crypto.${name}\``;
  if (call.type === "NewExpression" && name === "Date" && argumentsOf(call).length === 0)
    return "`new Date()`";
  return null;
}

/** Of the module, made by a function of this file that is a generator, or gives out one that moves a state of its own on. */
function isStream(facts: FileFacts, node: Node, generator: boolean): boolean {
  const kept = isMember(bare(node)) ? keptInField(facts, bare(node)) : keptInModule(facts, node);
  const made = kept === null ? null : bare(kept);
  if (made === null) return false;
  const maker = isCall(made) ? localFunction(facts, made) : null;
  if (maker === null) return false;
  if (generator) return maker.node.generator === true;
  const given = maker.returns.length === 1 ? facts.functionOf(bare(maker.returns[0])) : null;
  if (given === null) return false;
  return [...facts.updates, ...facts.assignments].some((one) => {
    const state = facts.binding(child(one, one.type === "UpdateExpression" ? "argument" : "left")!);
    return state !== null && inside(one, given.node) && facts.scopes.declaredIn(state, maker.node);
  });
}

/** What a name of the module is given, once. */
function keptInModule(facts: FileFacts, node: Node): Node | null {
  const binding = facts.binding(node);
  const once =
    binding?.kind === "variable" && binding.scope.type === "Program" && binding.definitions.length === 1;
  return once ? binding.definitions[0].expression : null;
}

/** What a field of the object is given where it is made: `gauss = normals(7);`, and never again. */
function keptInField(facts: FileFacts, member: Node): Node | null {
  const name = propertyName(member);
  if (name === null || bare(child(member, "object")!).type !== "ThisExpression") return null;
  const given = [
    ...facts.fields.flatMap((field) =>
      keyName(child(field, "key")!, field.computed === true) === name ? (child(field, "value") ?? []) : [],
    ),
    ...facts.assignments.flatMap((node) => {
      const target = bare(child(node, "left")!);
      return isMember(target) && propertyName(target) === name ? [node] : [];
    }),
  ];
  const [only, ...more] = given;
  if (only === undefined || more.length > 0) return null;
  if (only.type !== "AssignmentExpression") return only;
  return facts.home(only)?.kind === "constructor" ? child(only, "right") : null;
}

/** `this.rng()` of `this.rng = Math.random`. */
const isRandomField = (facts: FileFacts, name: string): boolean =>
  facts
    .once("fields that draw", (file) => {
      const names = file.assignments.flatMap((node) => {
        const target = bare(child(node, "left")!);
        const own = isMember(target) && bare(child(target, "object")!).type === "ThisExpression";
        return own && isMathRandom(bare(child(node, "right")!)) ? [propertyName(target)] : [];
      });
      return new Set(names);
    })
    .has(name);

const isMathRandom = (value: Node): boolean =>
  isMember(value) && propertyName(value) === "random" && identifier(child(value, "object")) === "Math";

/** `rand()` of `const rand = Math.random`, or of `(x, rand = Math.random) => ...`. */
function isAlias(facts: FileFacts, call: Node): boolean {
  const binding = facts.binding(child(call, "callee")!);
  if (binding === null || binding.definitions.length > 1) return false;
  // `const { random } = Math`
  const [given] = binding.definitions;
  if (given?.path.join("") === ".random") return identifier(given.expression) === "Math";
  const around = binding.declaration.parent;
  const value =
    binding.kind === "param" && around?.type === "AssignmentPattern"
      ? child(around, "right")
      : (binding.definitions[0]?.expression ?? null);
  const inner = value === null ? null : bare(value);
  return inner !== null && isMathRandom(inner);
}
