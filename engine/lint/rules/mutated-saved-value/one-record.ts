/** One record that is filled anew for each turn or call and kept itself: every entry of the list is what was put into it last. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsOf } from "../../local.js";
import { callsNamed, partOf } from "../../lookups.js";
import { isBackward } from "../../overwriting/entries.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  identifier,
  isCall,
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { inside, nodesIn } from "../shared/nodes.js";
import { sweepLoops } from "./sweep-loops.js";

/** `shown`: the file pays gradients of nodes; elsewhere the list has to be read by a loop or a function of the sweep. */
export function* oneRecord(facts: FileFacts, shown: boolean): Iterable<Finding> {
  for (const push of callsNamed(facts, "push")) {
    const [value, ...more] = argumentsOf(push);
    const home = facts.home(push);
    const list = receiver(push);
    if (value === undefined || more.length > 0 || home === null || list === null) continue;
    const record = recordIn(value);
    if (record === null) continue;
    const loop = loopsAround(facts, push).at(-1)?.node ?? null;
    const made = madeBefore(facts, record, home, loop);
    if (made === null) continue;
    const filled = filling(
      facts,
      record,
      value,
      push,
      loop ?? home.node,
      loop !== null && isPlain(push, loop),
    );
    if (filled === null || !(readBack(facts, list, home, push) || (shown && loop === null))) continue;
    // a node that is made once and put on the list once has a field set here, too
    if (loop === null && !isRecord(facts, record) && !runsOften(facts, home)) continue;
    yield {
      start: startOf(push),
      end: endOf(push),
      message: `\`${facts.source(record)}\` is one record for all ${loop === null ? `calls of \`${home.name}\`` : "turns of the loop"}, filled anew in each (line ${lineOf(facts, filled)}) and pushed itself: every entry of the list is what was put into it last. Push a new one.`,
      evidence: "structural",
      related: [place(filled, "filled anew"), place(made, "made once")],
    };
  }
}

/** `rec` of `push(rec)` and of `push(Object.assign(rec, { ... }))`. */
function recordIn(value: Node): Node | null {
  const inner = bare(value);
  const first = isAssign(inner) ? argumentsOf(inner)[0] : undefined;
  const record = first === undefined ? inner : bare(first);
  if (identifier(record) !== null) return record;
  return isMember(record) && bare(child(record, "object")!).type === "ThisExpression" ? record : null;
}

const isAssign = (node: Node): boolean => {
  const object = isCall(node) && calleeName(node) === "assign" ? receiver(node) : null;
  return object !== null && identifier(bare(object)) === "Object";
};

/** Where the record was made, once, before the turn or the call; null when it may be another each time. */
function madeBefore(facts: FileFacts, record: Node, home: Fn, loop: Node | null): Node | null {
  const binding = facts.binding(record);
  if (binding !== null) {
    const [made, ...others] = binding.definitions.filter(({ kind }) => kind !== "element");
    if (binding.kind !== "variable" || made === undefined || others.length > 0 || made.path.length > 0)
      return null;
    if (!isMade(made.expression)) return null;
    return inside(binding.declaration, loop ?? home.node) ? null : binding.declaration;
  }
  if (home.kind !== "method") return null;
  const name = propertyName(record);
  const field = facts.fields.find(
    (one) => one.parent?.parent === home.owner && identifier(child(one, "key")) === name,
  );
  const stores = facts.assignments.filter((node) => {
    const left = bare(child(node, "left")!);
    return isMember(left) && propertyName(left) === name;
  });
  const values = [
    ...stores.map((node) => child(node, "right")!),
    ...(field === undefined ? [] : [child(field, "value")].filter((one) => one !== null)),
  ];
  if (values.length !== 1 || !isMade(values[0])) return null;
  const [store] = stores;
  if (store !== undefined && facts.home(store)?.kind !== "constructor") return null;
  return store ?? field ?? null;
}

const isMade = (value: Node): boolean => /^(?:Object|New)Expression$/.test(bare(value).type);

/** It runs in each turn. */
function isPlain(push: Node, loop: Node): boolean {
  for (let at = push.parent; at != null && at !== loop; at = at.parent)
    if (/^(?:If|Switch|Conditional|Logical)/.test(at.type)) return false;
  return true;
}

/**
 * `rec.a = a;`, `rec.args[0] = a;`, `Object.assign(rec, { a });` before the push, in the same turn or call. `turns`: or after it, since the
 * next turn pushes the same.
 */
function filling(
  facts: FileFacts,
  record: Node,
  value: Node,
  push: Node,
  region: Node,
  turns: boolean,
): Node | null {
  if (isAssign(bare(value))) return bare(value);
  const values = valuesOf(facts);
  const key = values.key(record);
  const before = (node: Node): boolean =>
    (turns || startOf(node) < startOf(push)) && facts.home(node) === facts.home(push);
  const stored = partOf(facts.assignments, region).find((node) => {
    const target = bare(child(node, "left")!);
    return (
      isMember(target) &&
      propertyName(target) !== null &&
      before(node) &&
      values.key(child(target, "object")!) === key
    );
  });
  return (
    stored ??
    partOf(callsNamed(facts, "assign"), region).find(
      (call) => isAssign(call) && before(call) && values.key(argumentsOf(call)[0] ?? call) === key,
    ) ??
    null
  );
}

/** `const rec = { ... }` of the module. */
function isRecord(facts: FileFacts, record: Node): boolean {
  const [made] = facts.binding(record)?.definitions ?? [];
  return made !== undefined && bare(made.expression).type === "ObjectExpression";
}

/** Other functions of the file call it, or a loop does. */
const runsOften = (facts: FileFacts, home: Fn): boolean => {
  const calls = callsOf(facts, home);
  return calls.length > 1 || calls.some((call) => loopsAround(facts, call).length > 0);
};

/** The list is read by a function of the reverse sweep, or in a loop of one after this. */
function readBack(facts: FileFacts, list: Node, home: Fn, push: Node): boolean {
  const inner = bare(list);
  const name = isMember(inner) ? propertyName(inner) : identifier(inner);
  if (name === null) return false;
  const mentions = (node: Node): boolean =>
    nodesIn(facts, "Identifier", node).some((one) => one.name === name) ||
    nodesIn(facts, "PrivateIdentifier", node).some((one) => `#${String(one.name)}` === name);
  return (
    sweepLoops(facts).some((sweep) => !inside(push, sweep) && mentions(sweep)) ||
    facts.functions.some((fn) => fn !== home && isBackward(facts, fn) && mentions(fn.node))
  );
}
