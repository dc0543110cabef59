/** Local derivatives that are kept under their operand, and asked for operand by operand: of `x * x` both uses get the second one. */
import type { FileFacts } from "../../facts.js";
import { groupBy } from "../../lookups.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  endOf,
  identifier,
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { contributionsOf } from "../shared/contributions.js";
import { runsIn } from "../shared/nodes.js";
import { holderOf } from "./holders.js";

type Found = { node: Node; finding: Finding };

export function* byOperand(facts: FileFacts): Iterable<Found> {
  for (const [node, name] of [...listed(facts), ...storedOneByOne(facts), ...recorded(facts)]) {
    const paid = paidThrough(facts, name);
    if (paid === null) continue;
    yield {
      node,
      finding: {
        start: startOf(node),
        end: endOf(node),
        message:
          "a Map from operand to local derivative holds a repeated operand once: of `x * x` the second derivative replaces the first. Keep operands and derivatives in lists.",
        evidence: "structural",
        related: [place(paid, "operands are paid through it here")],
      },
    };
  }
}

/** `new WeakMap([[a, b.v], [b, a.v]])` and the name that it goes by. */
function* listed(facts: FileFacts): Iterable<[Node, string]> {
  for (const made of facts.news) {
    if (!/^(?:Weak)?Map$/.test(calleeName(made) ?? "")) continue;
    const list = bare(argumentsOf(made)[0] ?? made);
    const keys = children(list, "elements").map((pair) =>
      pair === null ? null : (children(bare(pair), "elements")[0] ?? null),
    );
    if (list.type !== "ArrayExpression" || !areOperands(facts, keys)) continue;
    const holder = holderOf(facts, made);
    const name = holder === null ? null : holder.field || holder.local;
    yield [made, name || tableAround(made)];
  }
}

/** `table.set(y, made)`, `rows.push(made)`: the name of what keeps one for each node. */
function tableAround(made: Node): string {
  const call = made.parent;
  const kept =
    call != null && /^(?:set|push)$/.test(calleeName(call) ?? "") && argumentsOf(call).includes(made);
  const table = kept ? bare(receiver(call) ?? call) : null;
  return (table === null ? null : isMember(table) ? propertyName(table) : identifier(table)) ?? "";
}

/** `y.d.set(a, b.v); y.d.set(b, a.v);`: the second of the two. */
function* storedOneByOne(facts: FileFacts): Iterable<[Node, string]> {
  const sets = facts.calls.filter(
    (call) => calleeName(call) === "set" && argumentsOf(call).length === 2 && receiver(call) !== null,
  );
  if (sets.length < 2) return;
  const values = valuesOf(facts);
  const groups = groupBy(
    sets,
    (call) => `${values.key(receiver(call)!)} ${startOf(runsIn(facts, call)?.node ?? call)}`,
  );
  for (const group of groups.values()) {
    const [first, second, ...more] = group;
    if (second === undefined || more.length > 0) continue;
    if (!areOperands(facts, [argumentsOf(first)[0], argumentsOf(second)[0]])) continue;
    const map = bare(receiver(first)!);
    yield [second, (isMember(map) ? propertyName(map) : identifier(map)) ?? ""];
  }
}

/** `local: { [a.name]: b.v, [b.name]: a.v }` and the name that it goes by. */
function* recorded(facts: FileFacts): Iterable<[Node, string]> {
  for (const record of facts.objects) {
    const keys = children(record, "properties").map((one) => {
      const key = one?.type === "Property" && one.computed === true ? bare(child(one, "key")!) : null;
      return key !== null && isMember(key) && propertyName(key) !== null ? child(key, "object") : null;
    });
    const holder = keys.length > 1 && areOperands(facts, keys) ? holderOf(facts, record) : null;
    if (holder !== null) yield [record, holder.field || holder.local];
  }
}

/** Two different parameters, or one and `this`. */
function areOperands(facts: FileFacts, keys: readonly (Node | null)[]): boolean {
  const operands = keys.map((key) => {
    const inner = key === null ? null : bare(key);
    if (inner === null) return null;
    return inner.type === "ThisExpression"
      ? "this"
      : facts.binding(inner)?.kind === "param"
        ? valuesOf(facts).key(inner)
        : null;
  });
  return operands.length > 1 && !operands.includes(null) && new Set(operands).size === operands.length;
}

/** A contribution scaled by what such a Map holds for the operand that is paid, or to the operands that are its keys. */
function paidThrough(facts: FileFacts, name: string): Node | null {
  if (name === "") return null;
  const isOf = (key: string): boolean => key.split(/[.~]/).includes(name);
  const found = contributionsOf(facts).find(
    ({ write, operand, weighed }) =>
      weighed!.carried &&
      !isOf(write.container) &&
      (new RegExp(
        `(?:^|\\.)${name.replace(/\$/g, "\\$")}(?:~\\d+)?(?:\\[[^[\\]]*\\])?\\[\\*\\]\\[0\\]$`,
      ).test(operand) ||
        valuesOf(facts)
          .reads(write.value)
          .some(
            (read) =>
              read.kind === "element" &&
              // the operand, or what it is told apart by: `d[p.id]`
              (read.index === operand || /^\.\w+$/.test(read.index.replace(operand, ""))) &&
              isOf(read.container),
          )),
  );
  return found?.write.node ?? null;
}
