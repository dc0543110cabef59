/**
 * One place of a record or list that is stored, beside others of the same one that are added to: `db.x = ...; db.y += ...` of a
 * gradient that is handed in, `cbar[k] = ...; cbar[k + 1] += ...` at places that come out of data. Who adds to one part of a
 * gradient has others add to it, too.
 */
import { adds, slotOf } from "../adds.js";
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { loopsAround } from "../reverse.js";
import { bare, child, isFunction, isMember, propertyName, within, type Node } from "../tree.js";
import { writesOf, type Write } from "../writes.js";
import { isAdjoint, isCotangentName, isCotangentPlace, readsCotangent } from "./cotangents.js";
import { rootOf } from "./exclusions.js";
import { branchOf, writesFrom } from "./guards.js";
import { countedIndex } from "./indices.js";
import { multiplies } from "./parts.js";
import { isBlank } from "./slots.js";
import { isReadIn } from "./turns.js";

/** The write stores a product of cotangents where the same function adds such products to the parts beside it. */
export function storedBesideSums(facts: FileFacts, write: Write): boolean {
  if (facts.names.minified || write.form !== "assign" || isBlank(facts, write.value)) return false;
  const home = facts.home(write.node);
  if (home === null || isFunction(bare(write.value)) || !isAdjoint(facts, home)) return false;
  if (!readsCotangent(facts, write.value, home) || branchOf(write.node, home.node).length > 0) return false;
  const own = slotOf(write, (name) => [name]);
  if (adds(facts, write.value, own)) return false;
  if (isParameterGradient(facts, write, home)) return besideParameters(facts, write, home);
  if (!isCotangentPlace(facts, write.target, home)) return false;
  return write.element && write.object === null
    ? multiplies(facts, write.value) && inList(facts, write, home)
    : !write.element && inRecord(facts, write, home);
}

const pays = (facts: FileFacts, { value }: Write, home: Fn): boolean =>
  multiplies(facts, value) && readsCotangent(facts, value, home);

/** Fields of a record that is handed in, that the object keeps for its gradients, or that stands in a list. */
function inRecord(facts: FileFacts, write: Write, home: Fn): boolean {
  const object = write.object === null ? null : bare(write.object);
  if (object === null || !isOlder(facts, object, write, home)) return false;
  return writesFrom(facts, home).some(
    (other) =>
      other.form === "add" &&
      (other.objectKey === write.objectKey
        ? other.name !== write.name
        : other.container.startsWith(`${write.objectKey}.`)) &&
      branchOf(other.node, home.node).length === 0 &&
      pays(facts, other, home),
  );
}

function isOlder(facts: FileFacts, object: Node, write: Write, home: Fn): boolean {
  if (object.type === "Identifier") {
    const binding = facts.binding(object);
    return binding?.kind === "param" && isCotangentName(facts, binding.name, home);
  }
  if (!isMember(object)) return false;
  const name = propertyName(object);
  // `this.grads.b`
  if (name !== null)
    return bare(child(object, "object")!).type === "ThisExpression" && facts.names.gradient(name) === 2;
  // `dBones[bone].y`, in the turns of a loop that the list is older than
  const [turn] = loopsAround(facts, write.node);
  const root = rootOf(object);
  const binding = root === null ? null : facts.binding(root);
  return (
    turn !== undefined &&
    binding !== null &&
    !within(binding.declaration, turn.node) &&
    countedIndex(facts, child(object, "property")!, home.node) === null &&
    !isReadIn(facts, write, turn.node)
  );
}

/** `this.gb` beside the `this.b` that the constructor sets: a gradient of a parameter. */
function isParameterGradient(facts: FileFacts, write: Write, home: Fn): boolean {
  if (write.objectKey !== "this" || write.element || home.kind !== "method" || home.owner === null)
    return false;
  const of = /^_?(?:grad_?|d_?|g_?)(\w+)$/.exec(write.name)?.[1] ?? /^(\w+?)_?[gG]rad$/.exec(write.name)?.[1];
  return of !== undefined && setByConstructor(facts, of, home.owner);
}

const setByConstructor = (facts: FileFacts, name: string, owner: Node): boolean =>
  writesOf(facts).some(
    (one) =>
      one.objectKey === "this" &&
      one.name === name &&
      !one.element &&
      facts.home(one.node)?.kind === "constructor" &&
      facts.home(one.node)?.owner === owner,
  );

/** The same backward pass adds to the gradient of another parameter, and clears neither. */
function besideParameters(facts: FileFacts, write: Write, home: Fn): boolean {
  const all = writesFrom(facts, home).filter((other) => other.objectKey === "this");
  if (all.some((other) => other !== write && other.name === write.name)) return false;
  return all.some(
    (other) =>
      other.name !== write.name &&
      isParameterGradient(facts, { ...other, element: false }, home) &&
      branchOf(other.node, home.node).length === 0 &&
      readsCotangent(facts, other.value, home) &&
      (other.form === "add" ||
        (other.form === "assign" &&
          adds(
            facts,
            other.value,
            slotOf(other, (name) => [name]),
          ))) &&
      all.every((clear) => clear.name !== other.name || !isBlank(facts, clear.value)),
  );
}

/** Entries of a list at places that no loop counts. */
function inList(facts: FileFacts, write: Write, home: Fn): boolean {
  const [turn] = loopsAround(facts, write.node);
  if (write.index === null || turn === undefined || write.object !== null) return false;
  if (isMember(bare(child(bare(write.target), "object") ?? write.target))) return false;
  if (countedIndex(facts, write.index, home.node) !== null) return false;
  if (isReadIn(facts, write, turn.node)) return false;
  return writesFrom(facts, home).some(
    (other) =>
      other.form === "add" &&
      other.container === write.container &&
      other.indexKey !== write.indexKey &&
      within(other.node, turn.node) &&
      pays(facts, other, home),
  );
}
