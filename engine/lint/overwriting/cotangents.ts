/** Cotangents by the names that hand-written adjoints give them, and functions that show themselves to be such adjoints. */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { groupBy } from "../lookups.js";
import type { Binding } from "../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  identifier,
  isCall,
  isFunction,
  isMember,
  propertyName,
  walk,
  type Node,
} from "../tree.js";
import { isBackward } from "./entries.js";
import { multiplies } from "./parts.js";
import { paramName } from "./slots.js";

/** `dh`, `dhPrev`, `dgates`: of something, in code that is about derivatives. */
export const OF_SOMETHING =
  /^d(?!ata|est|im|ist|iff|ef|ec|el|one|raw|ummy|ate|ir|om|oc|ur|ay|uration|ocument|ispatch|elay|b$|t$)[a-z]\w{0,9}$/;

/** `gW`, `gx`, `lam`: further short ones, of adjoints alone. */
const SHORT = /^(?:g[A-Z]\w{0,3}|g[xyzwhabuv]\d?|lam(?:bda)?\w?|[a-z]\w?bar|\w+_(?:ad|b)|ad_\w+)$/;

/** `xb` beside `x`: the naming of TAPENADE (Hascoet and Pascual, The Tapenade automatic differentiation tool, 2013). */
const SUFFIXED = /^(\w+?)_?b$/;

/** Fewer such pairs are chance. In a function that is named for adjoints two will do, and the primal may be of another function. */
const PAIRS = 3;
const PAIRS_OF_ADJOINTS = 2;

/** The name is one of a cotangent in the code of this function. */
export function isCotangentName(facts: FileFacts, name: string, home: Fn | null): boolean {
  if (facts.names.gradient(name) > 0) return true;
  if (facts.names.minified) return false;
  if (OF_SOMETHING.test(name) || SHORT.test(name)) return true;
  return home !== null && SUFFIXED.test(name) && suffixed(facts, home).has(name);
}

/** Names of a function that end in `b` and stand beside the same name without it. */
function suffixed(facts: FileFacts, home: Fn): ReadonlySet<string> {
  const known = facts.once("names of adjoints", () => new Map<Fn, ReadonlySet<string>>());
  let pairs = known.get(home);
  if (pairs === undefined) {
    const names = new Set(declaredIn(facts).get(home) ?? []);
    const paired = (primals: ReadonlySet<string>, least: number): readonly string[] => {
      const found = [...names].filter((name) => primals.has(SUFFIXED.exec(name)?.[1] ?? ""));
      return found.length < least ? [] : found;
    };
    const all = namesDeclared(facts);
    // `ab` and `cb` beside `b` are ways from corner to corner
    const short = ADJOINT.test(home.name) && !all.has("b") ? paired(all, PAIRS_OF_ADJOINTS) : [];
    // an adjoint is handed a cotangent; `pb` and `qb` of locals alone are corners, too
    const handed = new Set(home.params.map((param) => identifier(paramName(param))));
    const named = short.some((name) => handed.has(name)) ? short : [];
    known.set(home, (pairs = new Set([...paired(names, PAIRS), ...named])));
  }
  return pairs;
}

/** Names of parameters and locals by the function that they are of. */
const declaredIn = (facts: FileFacts): ReadonlyMap<Fn, readonly string[]> =>
  facts.once("names declared", (file) => {
    const out = new Map<Fn, string[]>();
    const note = (fn: Fn | null, name: string | null): void => {
      if (fn === null || name === null) return;
      const list = out.get(fn);
      if (list === undefined) out.set(fn, [name]);
      else list.push(name);
    };
    for (const fn of file.functions) for (const param of fn.params) note(fn, identifier(paramName(param)));
    for (const one of file.declarators) note(file.home(one), identifier(child(one, "id")));
    return out;
  });

/** Names of parameters and locals of the whole file. */
const namesDeclared = (facts: FileFacts): ReadonlySet<string> =>
  facts.once("all names declared", (file) => new Set([...declaredIn(file).values()].flat()));

/** The name of a slot: of a local, of a field, or of the local or field that an element belongs to. */
export function slotNames(target: Node): readonly string[] {
  const out: string[] = [];
  for (let at = bare(target); ; at = bare(child(at, "object")!)) {
    const name = isMember(at) ? propertyName(at) : identifier(at);
    if (name !== null) out.push(name);
    if (!isMember(at)) return out;
  }
}

/** A place for cotangents: `dx`, `dx[i]`, `grads.W`, `s.bar.x`. */
export const isCotangentPlace = (facts: FileFacts, target: Node, home: Fn | null): boolean =>
  slotNames(target).some((name) => isCotangentName(facts, name, home));

/** Names of cotangents stand in the value, or in what its locals are made of once. */
export function readsCotangent(facts: FileFacts, value: Node, home: Fn | null): boolean {
  let found = false;
  const queue = [value];
  const seen = new Set<Binding>();
  while (queue.length > 0 && !found)
    walk(queue.pop()!, (node) => {
      // `layer.backward(d)` gives one
      if (isCall(node)) found ||= gives(facts, node);
      const name = isMember(node) ? propertyName(node) : identifier(node);
      const key = node.parent != null && isMember(node.parent) && child(node.parent, "property") === node;
      if (name === null || (key && node.parent!.computed !== true)) return !found;
      found ||= isCotangentName(facts, name, home);
      // `const c = dAlpha[j] * B[j]` in the same function
      const binding = node.type === "Identifier" ? facts.scopes.resolve(node) : null;
      const [made, ...more] = binding?.kind === "variable" ? binding.definitions : [];
      if (made !== undefined && more.length === 0 && seen.size < FOLLOWED && !seen.has(binding!)) {
        seen.add(binding!);
        if (facts.home(made.at) === home && !isFunction(bare(made.expression))) queue.push(made.expression);
      }
      return !found;
    });
  return found;
}

const gives = (facts: FileFacts, call: Node): boolean =>
  argumentsOf(call).length > 0 && facts.names.backward(calleeName(call) ?? "");

/** Locals that are looked through. */
const FOLLOWED = 12;

const ADJOINT = /grad(?!ient[A-Z]*(?:Stop|Color))|adjoint|sensitiv|vjp|pull_?back|back_?prop/i;

/** A function that works cotangents out: named for it, or seen to add products of cotangents up. */
export function isAdjoint(facts: FileFacts, fn: Fn): boolean {
  const known = facts.once("adjoint functions", () => new Map<Fn, boolean>());
  let found = known.get(fn);
  if (found === undefined) {
    found =
      !facts.names.minified &&
      !facts.names.copying(fn.name) &&
      (isBackward(facts, fn) || (!facts.names.ramps && ADJOINT.test(fn.name)) || addsProducts(facts, fn));
    known.set(fn, found);
  }
  return found;
}

/** `wBar += xBar * v`: into a place for cotangents, a product of another. */
const addsProducts = (facts: FileFacts, fn: Fn): boolean =>
  (assignmentsIn(facts).get(fn) ?? []).some((node) => {
    const value = child(node, "right")!;
    if (node.operator !== "+=" && node.operator !== "-=" && !addsToItself(facts, node)) return false;
    return (
      isCotangentPlace(facts, child(node, "left")!, fn) &&
      multiplies(facts, value) &&
      readsCotangent(facts, value, fn)
    );
  });

/** `xb = xb - tb * y;` of a local, as tools that write adjoints spell it. */
function addsToItself(facts: FileFacts, node: Node): boolean {
  const sum = bare(child(node, "right")!);
  const local = facts.binding(child(node, "left")!);
  return (
    node.operator === "=" &&
    local !== null &&
    (sum.operator === "+" || sum.operator === "-") &&
    sum.type === "BinaryExpression" &&
    facts.binding(child(sum, "left")!) === local
  );
}

/** `=` and compound assignments by the function in whose run they are done. */
export const assignmentsIn = (facts: FileFacts): ReadonlyMap<Fn, readonly Node[]> =>
  facts.once("assignments by function", (file) => groupBy(file.assignments, (node) => file.home(node)));
