/** Rules that give one buffer back for several operands, `(g) => [g, g]`, where the sweep keeps what comes first and adds to it in place. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsOf } from "../../local.js";
import { isEntry } from "../../overwriting/entries.js";
import { isBlank, slotNamesOf } from "../../overwriting/slots.js";
import { lineOf, place, slotText } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import type { Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  endOf,
  identifier,
  isCall,
  isFunction,
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { writesOf, type Write } from "../../writes.js";
import { inside, keptAs } from "../shared/nodes.js";
import { inPlace } from "./in-place.js";

export function* keptParts(facts: FileFacts): Iterable<Finding> {
  const rules = sharing(facts);
  if (rules.length === 0) return;
  const slots = slotNamesOf(facts);
  for (const write of writesOf(facts)) {
    if (!/^(?:assign|default|map-set)$/.test(write.form)) continue;
    if (facts.names.gradient(write.name) === 0 || (write.element && !isEntry(write))) continue;
    const entry = isEntry(write);
    const call = partOf(facts, write);
    if (call === null) continue;
    const changed = inPlace(facts, slots.canonical(write.name), entry);
    if (changed === null) continue;
    const rule = rules.find((one) => mayRun(facts, call, one) && (one.twice || !letsGo(facts, call, write)));
    if (rule === undefined) continue;
    const value = bare(write.value);
    yield {
      start: startOf(write.node),
      end: endOf(write.node),
      message: `${slotText(facts, write)} keeps the very buffer that a rule gives back, line ${lineOf(facts, rule.node)} gives the same one ${rule.twice ? "for several operands" : "that belongs to the output"}, and line ${lineOf(facts, changed.node)} adds into such a buffer in place: what is added for one node is added for the other. Keep a copy.`,
      evidence: "structural",
      related: [place(rule.node, "the cotangent as it is"), place(changed.node, "changes the shared buffer")],
      suggestions: [
        {
          title: "Keep a copy",
          kind: "rewrite",
          edits: [{ start: startOf(value), end: endOf(value), text: `${facts.source(value)}.slice()` }],
        },
      ],
    };
  }
}

interface Sharing {
  readonly fn: Fn;
  /** what it gives back */
  readonly node: Node;
  /** one buffer for more than one operand; else the output's own for one */
  readonly twice: boolean;
}

/** Rules that give back what they are handed, as it is, in a list or a record. */
const sharing = (facts: FileFacts): readonly Sharing[] =>
  facts.once("rules that give back what they are handed", (file) => {
    const out: Sharing[] = [];
    for (const fn of file.functions) {
      if (fn.inline || fn.params.length === 0) continue;
      for (const value of fn.returns) {
        const node = made(file, value);
        const times = node === null ? 0 : handedBack(file, node, fn);
        if (times > 0) out.push({ fn, node: node!, twice: times > 1 });
      }
    }
    return out;
  });

function made(facts: FileFacts, value: Node): Node | null {
  const inner = bare(value);
  if (/^(?:Array|Object|Call)Expression$/.test(inner.type)) return inner;
  const binding = facts.binding(inner);
  const [only, ...more] = binding?.kind === "variable" ? binding.definitions : [];
  return only === undefined || more.length > 0 || only.path.length > 0 ? null : bare(only.expression);
}

/** How many operands get the parameter itself: none where another gets a copy, since its author minds. */
function handedBack(facts: FileFacts, node: Node, fn: Fn): number {
  const own = (value: Node | null | undefined): Binding | null => {
    const binding = value == null ? null : facts.binding(value);
    return binding?.kind === "param" && facts.scopes.declaredIn(binding, fn.node) ? binding : null;
  };
  if (isCall(node)) {
    const last = argumentsOf(node).at(-1);
    const name = calleeName(node);
    if (last === undefined || receiver(node) === null) return 0;
    if (name === "fill") return own(last) === null ? 0 : 2;
    const each = name === "map" && isFunction(bare(last)) ? facts.functionOf(bare(last)) : null;
    return each !== null && each.returns.length === 1 && own(each.returns[0]) !== null ? 2 : 0;
  }
  const values =
    node.type === "ArrayExpression"
      ? children(node, "elements")
      : children(node, "properties").map((one) => (one?.type === "Property" ? child(one, "value") : null));
  const counts = new Map<Binding, number>();
  for (const value of values) {
    const binding = own(value);
    if (binding !== null) counts.set(binding, (counts.get(binding) ?? 0) + 1);
  }
  const [most] = [...counts.entries()].sort((a, b) => b[1] - a[1]);
  if (most === undefined) return 0;
  const copied = values.some(
    (value) =>
      value !== null &&
      isCall(bare(value)) &&
      /^(?:slice|from|clone|copy)$/.test(calleeName(bare(value)) ?? "") &&
      [receiver(bare(value)), ...argumentsOf(bare(value))].some((one) => own(one) === most[0]),
  );
  return most[1] === 1 && copied ? 0 : most[1];
}

/** The call of a rule whose part a write keeps: itself, or because a helper that keeps it is handed one. */
function partOf(facts: FileFacts, write: Write): Node | null {
  const value = bare(write.value);
  const direct = origin(facts, value);
  if (direct !== null) return direct;
  const binding = facts.binding(value);
  const home = facts.home(write.node);
  if (binding?.kind !== "param" || home === null || binding.defaulted) return null;
  const at = home.params.findIndex((param) => facts.binding(bare(param)) === binding);
  if (at < 0) return null;
  for (const call of callsOf(facts, home)) {
    const argument = argumentsOf(call)[at];
    const found = argument === undefined ? null : origin(facts, argument);
    if (found !== null) return found;
  }
  return null;
}

/** `parts[i]` of `const parts = rule(n.grad)`, through names, destructuring and `entries`: the call that is handed a cotangent. */
function origin(facts: FileFacts, value: Node): Node | null {
  let at = bare(value);
  for (let steps = 0, inner = false; steps < 12; steps++) {
    if (at.type === "Identifier") {
      const binding = facts.scopes.resolve(at);
      const [only, ...more] = binding?.definitions.filter(({ kind }) => kind !== "element") ?? [];
      if (only === undefined || more.length > 0 || only.kind !== "initial") return null;
      inner ||= only.path.length > 0;
      at = bare(only.expression);
    } else if (isMember(at)) {
      inner = true;
      at = bare(child(at, "object")!);
    } else if (isCall(at)) {
      const name = calleeName(at) ?? "";
      const object = receiver(at);
      const [first] = argumentsOf(at);
      if (/^(?:entries|values|from)$/.test(name) && /^(?:Object|Array)$/.test(identifier(object) ?? "")) {
        if (first === undefined) return null;
        at = bare(first);
      } else if (/^(?:entries|values|get|at)$/.test(name) && object !== null) {
        inner = true;
        at = bare(object);
      } else return inner && argumentsOf(at).some((one) => isSlot(facts, one)) ? at : null;
    } else return null;
  }
  return null;
}

/** `n.grad`, `bars.get(k)`, `cts[k]`, or a name of one. */
function isSlot(facts: FileFacts, node: Node, through = true): boolean {
  const inner = bare(node);
  if (isMember(inner)) {
    const name = propertyName(inner);
    return name === null ? named(facts, child(inner, "object")!) : facts.names.gradient(name) > 0;
  }
  if (isCall(inner)) {
    const object = receiver(inner);
    return calleeName(inner) === "get" && object !== null && named(facts, object);
  }
  const binding = through ? facts.binding(inner) : null;
  const [only, ...more] = binding?.kind === "variable" ? binding.definitions : [];
  return only !== undefined && more.length === 0 && isSlot(facts, only.expression, false);
}

const named = (facts: FileFacts, node: Node): boolean =>
  facts.names.gradient((isMember(node) ? propertyName(node) : identifier(bare(node))) ?? "") > 0;

/** The call may run the rule: by a name under which it is kept, or what is called was looked up. */
function mayRun(facts: FileFacts, call: Node, { fn }: Sharing): boolean {
  const callee = bare(child(call, "callee")!);
  if (isMember(callee) && propertyName(callee) !== null)
    return keptAs(facts, fn).includes(propertyName(callee)!) || fn.name === propertyName(callee);
  const binding = facts.binding(callee);
  if (binding !== null && isFunction(binding.declaration)) return binding.declaration === fn.node;
  return true;
}

/** The loop forgets the output's cotangent once its rule has run: nobody reads what one operand's buffer does to it. */
function letsGo(facts: FileFacts, call: Node, write: Write): boolean {
  const loop = loopsAround(facts, call).at(-1)?.node;
  if (loop === undefined) return false;
  return (
    writesOf(facts).some(
      (one) => one.name === write.name && inside(one.node, loop) && isBlank(facts, one.value),
    ) ||
    facts.calls.some(
      (one) =>
        inside(one, loop) &&
        /^(?:delete|pop)$/.test(calleeName(one) ?? "") &&
        receiver(one) !== null &&
        named(facts, receiver(one)!),
    )
  );
}
