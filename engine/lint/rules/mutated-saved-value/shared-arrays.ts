/** Two names for one array: a node that was made around the array of another, a helper that writes into what it is handed. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { localFunction } from "../../local.js";
import { paramName } from "../../overwriting/slots.js";
import type { Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  isCall,
  isMember,
  propertyName,
  receiver,
  type Node,
} from "../../tree.js";
import { isPropertyPosition } from "../../value-forms.js";
import { valuesOf } from "../../values.js";
import { writesOf } from "../../writes.js";
import { nodesOf, parameterNames, partsOf, runsIn } from "../shared/nodes.js";

export interface Owned {
  readonly objectKey: string;
  readonly field: string;
}

/** `e.v` of `const p = tensor(e.v)`, for `p.v`: the array belongs to both. Null where the node has one of its own. */
export function ownerOf(facts: FileFacts, { objectKey, field }: Owned): Owned | null {
  const binding = bindingsByKey(facts).get(objectKey);
  const [made, ...more] = binding?.definitions.filter(({ kind }) => kind !== "element") ?? [];
  if (made === undefined || more.length > 0 || made.path.length > 0) return null;
  const value = bare(made.expression);
  if (!isCall(value) && value.type !== "NewExpression") return null;
  for (const [at, given] of argumentsOf(value).entries()) {
    // a copy is another array
    if (!isPlace(facts, given) || !parameterNames(facts, value, at).includes(field)) continue;
    const owner = /^(.*)\.([\w$#]+)$/.exec(valuesOf(facts).key(given));
    if (owner !== null) return { objectKey: owner[1], field: owner[2] };
  }
  return null;
}

/** `e.v`, or a local that is nothing else. */
function isPlace(facts: FileFacts, given: Node): boolean {
  const inner = bare(given);
  if (isMember(inner)) return true;
  const [made, ...more] = facts.binding(inner)?.definitions.filter(({ kind }) => kind !== "element") ?? [];
  return made !== undefined && more.length === 0 && isMember(bare(made.expression));
}

const bindingsByKey = (facts: FileFacts): ReadonlyMap<string, Binding> =>
  facts.once("bindings by key", (file) => {
    const map = new Map<string, Binding>();
    for (const name of nodesOf(file, "Identifier")) {
      const binding = isPropertyPosition(name) ? null : file.scopes.resolve(name);
      if (binding !== null) map.set(`${binding.name}~${binding.id}`, binding);
    }
    return map;
  });

/** A gradient stands in the text of a value, or of what a local in it is. */
export const mentionsGradient = (facts: FileFacts, value: Node, depth = 0): boolean =>
  partsOf(value).some((part) => {
    if (isMember(part) || part.type === "Identifier") {
      if (isGradient(facts, part)) return true;
      const binding = part.type === "Identifier" ? facts.binding(part) : null;
      return (
        depth < 2 &&
        binding !== null &&
        binding.definitions.some(
          ({ expression, kind }) =>
            kind === "initial" &&
            isMember(bare(expression)) &&
            mentionsGradient(facts, expression, depth + 1),
        )
      );
    }
    return false;
  });

/** A field that a call hands to a helper which writes into it. */
export interface Filled extends Owned {
  readonly node: Node;
  readonly home: Fn;
}

/** `scale(x.v, k)` of `function scale(a, k) { for (...) a[i] *= k; }`; one that is handed a gradient too moves by it. */
export function* filledByHelpers(facts: FileFacts, fields: ReadonlySet<string>): Iterable<Filled> {
  for (const call of facts.calls) {
    const home = facts.home(call);
    const args = argumentsOf(call).map(bare);
    const at = args.findIndex((one) => isMember(one) && fields.has(propertyName(one) ?? ""));
    if (at < 0 || home === null || args.some((one) => isGradient(facts, one))) continue;
    const fn = localFunction(facts, call);
    if (fn === null) continue;
    for (const [i, given] of args.entries()) {
      if (!isMember(given) || !fields.has(propertyName(given) ?? "") || !changesIn(facts, fn).has(i))
        continue;
      const owner = /^(.*)\.([\w$#]+)$/.exec(valuesOf(facts).key(given));
      if (owner !== null) yield { node: call, home, objectKey: owner[1], field: owner[2] };
    }
  }
}

const isGradient = (facts: FileFacts, node: Node): boolean =>
  facts.names.gradient((isMember(node) ? propertyName(node) : String(node.name ?? "")) ?? "") > 0;

/** Which parameters a function writes into. */
export function changesIn(facts: FileFacts, fn: Fn): ReadonlySet<number> {
  const known = facts.once("parameters written into", () => new Map<Fn, ReadonlySet<number>>());
  let found = known.get(fn);
  if (found === undefined) {
    const values = valuesOf(facts);
    const keys = fn.params.map((param) => {
      const id = paramName(param);
      return id === null ? "" : values.key(id);
    });
    const written = [
      ...writesOf(facts)
        .filter(({ node, element, form }) => runsIn(facts, node) === fn && (element || /^buffer/.test(form)))
        .map(({ container, target }) => (container === "" ? values.key(target) : container)),
      ...facts.calls
        .filter((call) => runsIn(facts, call) === fn && /^(?:sort|reverse)$/.test(calleeName(call) ?? ""))
        .flatMap((call) => {
          const list = receiver(call);
          return list === null ? [] : [values.key(list)];
        }),
    ];
    found = new Set(keys.flatMap((key, i) => (key !== "" && written.includes(key) ? [i] : [])));
    known.set(fn, found);
  }
  return found;
}
