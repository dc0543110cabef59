/**
 * A local derivative that goes into an operand's slot as it is. By the chain rule a contribution is the local
 * derivative times the cotangent of the output; without the factor it is right only where that is one.
 */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { isEntry } from "../overwriting/evidence.js";
import { isBlank, paramName, slotNamesOf } from "../overwriting/slots.js";
import { lineOf, place, slotText } from "../overwriting/words.js";
import { loopsAround, operationName, operationOf } from "../reverse.js";
import { everySeverity, type Finding, type Rule } from "../report.js";
import {
  argumentsOf,
  bare,
  child,
  children,
  endOf,
  isCall,
  isFunction,
  isMember,
  literal,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { writesOf, type Write } from "../writes.js";
import { contributionsOf, showsContributions, type Contribution } from "./shared/contributions.js";
import { keptAs, mentionsNode, partsOf, runsIn } from "./shared/nodes.js";

/** Where a sweep starts the output's cotangent is one, and losses leave it out. */
const LOSS =
  /loss|cost|mse|mae|entropy|nll|likelihood|error|objective|criterion|penalt|regular|decay|numeric|finite/i;

export const droppedUpstream: Rule = {
  name: "dropped-upstream",
  summary: "a local derivative is stored without the cotangent of the output as a factor",
  severity: everySeverity("warning"),
  *check(facts: FileFacts): Iterable<Finding> {
    if (!showsContributions(facts) && !showsClosures(facts)) return;
    const found = [...inClosures(facts), ...inMethods(facts), ...inReturned(facts)];
    found.sort((a, b) => a.start - b.start);
    yield* found;
  },
};

/** A closure that an operation hangs on its output and that adds into a gradient: with no cotangent in sight at all. */
const showsClosures = (facts: FileFacts): boolean =>
  writesOf(facts).some(({ node, form, name, object }) => {
    if (form !== "add" || object === null || facts.names.gradient(name) !== 2) return false;
    const fn = runsIn(facts, node);
    const operation = fn === null ? null : operationOf(facts, fn);
    return operation !== null && operation.linked && operation.outputs.size > 0;
  });

/** Contributions that say what they are made of: the rest of the engine is measured against them. */
const withUpstream = (facts: FileFacts): readonly Contribution[] =>
  facts.once("with upstream", (file) =>
    contributionsOf(file).filter(
      ({ weighed }) => weighed!.reverse && weighed!.upstream !== null && !weighed!.own,
    ),
  );

function* inClosures(facts: FileFacts): Iterable<Finding> {
  const slots = slotNamesOf(facts);
  for (const write of writesOf(facts)) {
    if (!candidate(facts, write)) continue;
    const fn = runsIn(facts, write.node);
    if (fn === null || fn.kind !== "function") continue;
    const operation = operationOf(facts, fn);
    const siblings = withUpstream(facts).filter(
      (other) => slots.canonical(other.write.name) === slots.canonical(write.name),
    );
    if (operation !== null) {
      if (!operation.linked || LOSS.test(operation.fn.name)) continue;
      if (readsUpstream(facts, write, fn, operation.outputs) || readsNamed(facts, withoutOld(write)))
        continue;
      // it hangs on an output of its own, or is one of several operations that do it right
      const named = facts.names.gradient(write.name) === 2 && operation.outputs.size > 0;
      if (siblings.length === 0 && !named) continue;
      if (operation.outputs.has(write.objectKey)) continue;
      yield report(facts, write, siblings);
    } else if (isEntry(write) && siblings.length + seeded(facts, write) > 0) {
      const loop = loopsAround(facts, write.node).find(({ reverse }) => reverse);
      if (loop === undefined || !/[.[]/.test(write.indexKey) || loop.isCurrent(write.indexKey)) continue;
      if (readsContainer(facts, write) || readsNamed(facts, write.value)) continue;
      yield report(facts, write, siblings);
    }
  }
}

/** `slot = slot.add(c)`: the old value is named for a gradient too. */
const withoutOld = ({ value, form }: Write): Node => {
  const inner = bare(value);
  if (form === "assign" && isCall(inner) && receiver(inner) !== null && argumentsOf(inner).length === 1)
    return argumentsOf(inner)[0];
  if (form === "assign" && inner.type === "BinaryExpression" && inner.operator === "+")
    return child(inner, "right")!;
  return value;
};

const seeded = (facts: FileFacts, { container, node }: Write): number =>
  writesOf(facts).filter(
    (other) => other.node !== node && other.container === container && literal(other.value) === 1,
  ).length;

/** A store of something computed into an operand's slot. */
function candidate(facts: FileFacts, write: Write): boolean {
  if (write.form !== "add" && write.form !== "assign" && write.form !== "map-set") return false;
  if (facts.names.gradient(write.name) === 0) return false;
  // `buffer.set(values, offset)`
  if (write.form === "map-set" && (write.index === null || isCall(bare(write.index)))) return false;
  if (isBlank(facts, write.value)) return write.form === "add" && literal(write.value) !== 0;
  return computed(facts, write.value) && !mayReadAnything(facts, write.value);
}

/** Something worked out here: what is only handed on was worked out elsewhere. */
function computed(facts: FileFacts, value: Node): boolean {
  const inner = bare(value);
  const binding = facts.binding(inner);
  if (binding !== null)
    return (
      binding.kind === "variable" &&
      binding.definitions.length === 1 &&
      binding.definitions[0].path.length === 0 &&
      bare(binding.definitions[0].expression).type !== "Identifier" &&
      computed(facts, binding.definitions[0].expression)
    );
  if (isMember(inner)) {
    // `out.value`, `out.data[i]`: a primal of the forward pass
    const holder = propertyName(inner) === null ? bare(child(inner, "object")!) : inner;
    const name = isMember(holder) ? propertyName(holder) : null;
    return name !== null && /^_?(?:v|val|value|data|y|primal|x)$/.test(name);
  }
  return /^(?:BinaryExpression|UnaryExpression|CallExpression|ConditionalExpression)$/.test(inner.type);
}

/** A call without arguments, of a function that is not seen, may read the output's slot. */
function mayReadAnything(facts: FileFacts, value: Node): boolean {
  return partsThrough(facts, value).some((node) => {
    if (!isCall(node)) return false;
    const object = receiver(node);
    if (object !== null && bare(object).type === "Identifier" && bare(object).name === "Math") return false;
    return argumentsOf(node).length === 0 || argumentsOf(node).some(isFunction);
  });
}

/** Every node of a value, and of what its local names hold. */
function partsThrough(facts: FileFacts, value: Node): Node[] {
  const out: Node[] = [];
  const queue = [value];
  const seen = new Set<unknown>();
  while (queue.length > 0 && out.length < 2000)
    for (const node of partsOf(queue.pop()!)) {
      out.push(node);
      const named = node.parent != null && isMember(node.parent) && child(node.parent, "property") === node;
      const name = node.type === "Identifier" && (!named || node.parent?.computed === true);
      const binding = name ? facts.scopes.resolve(node) : null;
      if (binding === null || seen.has(binding) || binding.kind !== "variable") continue;
      seen.add(binding);
      for (const { expression, kind } of binding.definitions)
        if (kind !== "element" && !isFunction(bare(expression))) queue.push(expression);
    }
  return out;
}

/** Backward methods of a class: `x.g = gfx(o.v)`, where siblings or the same method know an output `o`. */
function* inMethods(facts: FileFacts): Iterable<Finding> {
  const slots = slotNamesOf(facts);
  for (const fn of facts.functions) {
    if (fn.kind !== "method" || !facts.names.backward(fn.name) || LOSS.test(fn.name)) continue;
    if (fn.owner !== null && LOSS.test(String((fn.owner.id as Node | null)?.name ?? ""))) continue;
    const own = writesOf(facts).filter(({ node, object }) => facts.home(node) === fn && object !== null);
    const into = own.filter(
      (write) => candidate(facts, write) && !isEntry(write) && !write.element && write.objectKey !== "this",
    );
    if (into.length === 0) continue;
    if (
      into.some(
        (write) => readsAnySlot(facts, write, slots.canonical(write.name)) || readsNamed(facts, write.value),
      )
    )
      continue;
    // one fault: the rule of this class knows no upstream at all
    const [first] = into;
    if (!mentionsCall(first.value) || isBlank(facts, first.value)) continue;
    yield report(
      facts,
      first,
      withUpstream(facts).filter(({ write }) => slots.canonical(write.name) === slots.canonical(first.name)),
    );
  }
}

const mentionsCall = (value: Node): boolean =>
  mentionsNode(value, (node) => /CallExpression|BinaryExpression/.test(node.type));

function readsAnySlot(facts: FileFacts, write: Write, canonical: string): boolean {
  const slots = slotNamesOf(facts);
  return valuesOf(facts)
    .reads(write.value)
    .some(
      (read) =>
        (read.kind === "field" &&
          (slots.canonical(read.name) === canonical || facts.names.gradient(read.name) > 0)) ||
        (read.kind === "param" && read.binding.scope === facts.home(write.node)?.node),
    );
}

function readsUpstream(facts: FileFacts, write: Write, fn: Fn, outputs: ReadonlySet<string>): boolean {
  const slots = slotNamesOf(facts);
  const own = slots.canonical(write.name);
  return (
    valuesOf(facts)
      .reads(write.value)
      .some((read) => {
        if (read.kind === "param")
          return facts.scopes.declaredIn(read.binding, fn.node) || gradientParam(facts, read.binding.name);
        if (read.kind === "field") {
          if (facts.names.gradient(read.name) > 0 || slots.canonical(read.name) === own)
            return read.object !== write.objectKey || outputs.has(read.object);
          return false;
        }
        return readsGradientKey(facts, read.container) && read.index !== write.indexKey;
      }) || callsWithOutput(facts, write.value, outputs)
  );
}

const gradientParam = (facts: FileFacts, name: string): boolean => facts.names.gradient(name) > 0;

/** `rule(out)`, `chain(out, k)`: a helper that is handed the output may read its cotangent. */
function callsWithOutput(facts: FileFacts, value: Node, outputs: ReadonlySet<string>): boolean {
  const values = valuesOf(facts);
  const roots: Node[] = [value];
  const binding = facts.binding(value);
  if (binding?.kind === "variable") roots.push(...binding.definitions.map(({ expression }) => expression));
  return roots.some((root) =>
    mentionsNode(
      root,
      (node) =>
        (node.type === "CallExpression" || node.type === "NewExpression") &&
        children(node, "arguments").some(
          (argument) => argument !== null && outputs.has(values.key(argument)),
        ),
    ),
  );
}

function readsGradientKey(facts: FileFacts, key: string): boolean {
  const name = /([\w$#]+?)(?:~\d+)?(?:\[[^\]]*\])*$/.exec(key)?.[1] ?? "";
  return facts.names.gradient(name) > 0;
}

function readsContainer(facts: FileFacts, write: Write): boolean {
  return valuesOf(facts)
    .reads(write.value)
    .some(
      (read) =>
        read.kind === "element" && read.container === write.container && read.index !== write.indexKey,
    );
}

/** A name or a field that says gradient, here or in what local names hold. */
function readsNamed(facts: FileFacts, value: Node): boolean {
  return partsThrough(facts, value).some((node) => {
    if (isMember(node)) {
      const name = propertyName(node);
      return name !== null && facts.names.gradient(name) === 2;
    }
    if (
      node.type !== "Identifier" ||
      (node.parent != null && isMember(node.parent) && child(node.parent, "property") === node)
    )
      return false;
    const strength = facts.names.gradient(String(node.name));
    // `d`, `dx`: what they hold is looked at instead
    return (
      strength === 2 ||
      (strength === 1 && facts.scopes.resolve(node)?.kind !== "variable") ||
      /^d(?:out|y)$|^up/.test(String(node.name))
    );
  });
}

/** `(g) => [b.value, a.value]` among `(g) => [g * b.value, ...]`: a rule that does not use what it is handed. */
function* inReturned(facts: FileFacts): Iterable<Finding> {
  const byName = new Map<string, Fn[]>();
  for (const fn of facts.functions) {
    if (fn.inline || fn.params.length === 0 || fn.returns.length === 0 || fn.kind !== "function") continue;
    for (const name of keptAs(facts, fn)) {
      const list = byName.get(name);
      if (list === undefined) byName.set(name, [fn]);
      else list.push(fn);
    }
  }
  const taken = new Set<Fn>();
  for (const [name, fns] of byName) {
    if (!facts.names.backward(name) && !facts.names.derivative(name) && !/^(?:rule|pull)$/.test(name))
      continue;
    const using = fns.filter((fn) => usesParam(facts, fn, 0) && gradientLike(facts, fn));
    if (using.length === 0) continue;
    for (const fn of fns) {
      if (taken.has(fn) || fn.params.length > using[0].params.length) continue;
      if (fn.params.some((_, i) => usesParam(facts, fn, i))) continue;
      const value = fn.returns.find((one) => !isBlank(facts, one) && !constantList(facts, one));
      if (value === undefined || LOSS.test(operationName(facts, fn.node))) continue;
      taken.add(fn);
      const param = facts.source(fn.params[0]);
      yield {
        start: startOf(value),
        end: endOf(value),
        message: `this rule returns a local derivative and never uses \`${param}\`, the cotangent that it is handed; the others multiply by it (line ${lineOf(facts, using[0].node)}).`,
        evidence: "proven-siblings",
        related: using.slice(0, 3).map((other) => place(other.node, "uses what it is handed")),
      };
    }
  }
}

function usesParam(facts: FileFacts, fn: Fn, at: number): boolean {
  const id = paramName(fn.params[at]);
  if (id === null) return true;
  const binding = facts.scopes.resolve(id);
  return mentionsNode(
    fn.node,
    (node) => node !== id && node.type === "Identifier" && facts.scopes.resolve(node) === binding,
  );
}

/** Multiplies what it is handed, or hands it on as it is. */
function gradientLike(facts: FileFacts, fn: Fn): boolean {
  const id = paramName(fn.params[0]);
  const name = String(id?.name ?? "");
  return facts.names.gradient(name) > 0 || /^(?:u|up|z|s|seed|t|w|out|dy|y_?bar)/i.test(name);
}

/** `[]`, `[0, 0]`, `[null]`: no gradient flows. */
function constantList(facts: FileFacts, value: Node): boolean {
  const inner = bare(value);
  return (
    inner.type === "ArrayExpression" &&
    children(inner, "elements").every((e) => e !== null && isBlank(facts, e))
  );
}

function report(facts: FileFacts, write: Write, siblings: readonly Contribution[]): Finding {
  const name = operationName(facts, write.node);
  const others = siblings.slice(0, 3);
  const beside =
    others.length === 0 ? "" : ` Others multiply by it (line ${lineOf(facts, others[0].write.node)}).`;
  return {
    start: startOf(write.node),
    end: endOf(write.node),
    message: `\`${name}\` stores a local derivative in ${slotText(facts, write)} without the cotangent of its output as a factor: right only where that is 1.${beside}`,
    evidence: others.length > 0 ? "proven-siblings" : "structural",
    related: others.map((other) => place(other.write.node, "multiplies by the cotangent")),
  };
}
