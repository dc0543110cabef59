/** Rewrites of Python text that add instead of assign. They change results, so they are suggestions. */
import type { FileFacts } from "../facts.js";
import type { Judged } from "../overwriting/judge.js";
import { slotNamesOf } from "../overwriting/slots.js";
import type { Edit, Suggestion } from "../report.js";
import {
  argumentsOf,
  bare,
  child,
  children,
  endOf,
  isCall,
  isMember,
  keyName,
  literal,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../tree.js";
import type { Write } from "../writes.js";

/** Kinds of expressions that a sum reads without parentheses. */
const PLAIN = /^(?:Identifier|MemberExpression|Literal|CallExpression|ThisExpression|NewExpression)$/;

function operand(facts: FileFacts, node: Node): string {
  const text = facts.source(node);
  const product = bare(node).type === "BinaryExpression" && /^[*/%]$|^\*\*$/.test(String(node.operator));
  return PLAIN.test(bare(node).type) || product ? text : `(${text})`;
}

const replaced = (node: Node, text: string): Edit[] => [{ start: startOf(node), end: endOf(node), text }];

export function pythonFixes(
  facts: FileFacts,
  write: Write,
  siblings: readonly Judged[],
): readonly Suggestion[] {
  const slot = facts.source(write.target);
  const { value, node } = write;
  const title = `Add to \`${slot}\``;
  switch (write.form) {
    case "assign": {
      const at = operatorAt(facts, node);
      if (at === null) return [];
      if (startsAsNone(facts, write, siblings))
        return [
          {
            title: `${title}, or store the first contribution`,
            kind: "rewrite",
            edits: replaced(
              value,
              `${operand(facts, value)} if ${slot} is None else ${slot} + ${operand(facts, value)}`,
            ),
          },
        ];
      return [{ title, kind: "number", edits: [{ start: at, end: at + 1, text: "+=" }] }];
    }
    case "default": {
      const key = child(bare(child(node, "left")!), "property");
      const object = child(bare(child(node, "left")!), "object");
      if (key === null || object === null || !alone(facts, node)) return [];
      return [{ title, kind: "map", edits: replaced(node, read(facts, object, key, value)) }];
    }
    case "map-set": {
      const key = argumentsOf(node)[0];
      if (key === undefined || write.index === null || /\.\s*set\s*\(/.test(facts.source(node))) return [];
      const sum = `${slot}.get(${facts.source(key)}, 0) + ${operand(facts, value)}`;
      return [{ title: `Add to the entry of \`${slot}\``, kind: "map", edits: replaced(value, sum) }];
    }
    case "buffer-set":
    case "buffer-fill":
      return wholeContent(facts, write, title);
    case "destructure":
      return destructured(facts, write);
    default:
      return [];
  }
}

/** Offset of the sign of a plain assignment with one target. */
function operatorAt(facts: FileFacts, node: Node): number | null {
  if (node.type !== "AssignmentExpression" || node.split === true) return null;
  const between = facts.text.slice(endOf(child(node, "left")!), startOf(child(node, "right")!));
  const at = between.indexOf("=");
  // an annotation between target and sign, or a chain of targets
  return at === -1 || /=[^]*=|:/.test(between) ? null : endOf(child(node, "left")!) + at;
}

/** The slot holds None before the first contribution, and no operation adds with `+=`. */
function startsAsNone(facts: FileFacts, write: Write, siblings: readonly Judged[]): boolean {
  if (siblings.some(({ write: sibling }) => sibling.form === "add") || write.element) return false;
  const names = new Set(slotNamesOf(facts).same(write.name));
  const none = (node: Node | null): boolean => node !== null && literal(node) === null;
  return (
    facts.assignments.some((node) => {
      const left = bare(child(node, "left")!);
      return isMember(left) && names.has(propertyName(left) ?? "") && none(child(node, "right"));
    }) ||
    facts.fields.some(
      (field) => names.has(keyName(child(field, "key")!, false) ?? "") && none(child(field, "value")),
    )
  );
}

/** `grads[k] = grads.get(k, 0) + c`. */
function read(facts: FileFacts, object: Node, key: Node, value: Node): string {
  const holder = facts.source(object);
  const at = facts.source(key);
  return `${holder}[${at}] = ${holder}.get(${at}, 0) + ${operand(facts, value)}`;
}

/** `x.grad[:] = c`, `np.copyto(x.grad, c)`, `x.grad.fill(c)`. */
function wholeContent(facts: FileFacts, write: Write, title: string): readonly Suggestion[] {
  const { node, value } = write;
  const object = isCall(node) ? receiver(node) : null;
  if (object === null || !alone(facts, node)) return [];
  const behind = facts.text.slice(endOf(object), startOf(value));
  const sign = /^\s*\[[^\]]*\]\s*=$|^\s*\[[^\]]*\]\s*=\s*$/.exec(behind);
  const slot = facts.source(object);
  if (sign !== null && startOf(object) === startOf(node)) {
    const at = endOf(object) + behind.indexOf("=");
    return [{ title, kind: "elements", edits: [{ start: at, end: at + 1, text: "+=" }] }];
  }
  return [{ title, kind: "elements", edits: replaced(node, `${slot} += ${facts.source(value)}`) }];
}

/** `a.grad, b.grad = vjp(g)` as an addition each, on lines of their own. */
function destructured(facts: FileFacts, write: Write): readonly Suggestion[] {
  const { node } = write;
  const pattern = bare(child(node, "left")!);
  const indent = indentBefore(facts, node);
  if (pattern.type !== "ArrayPattern" || indent === null || !alone(facts, node)) return [];
  const targets = children(pattern, "elements");
  if (targets.some((target) => target === null || !isMember(bare(target)))) return [];
  const names = targets.map((_, i) => `c${i}`).join(", ");
  const sums = targets.map((target, i) => `\n${indent}${facts.source(target!)} += c${i}`);
  return [
    {
      title: "Add each part",
      kind: "rewrite",
      edits: replaced(node, `${names} = ${facts.source(write.value)}${sums.join("")}`),
    },
  ];
}

/** `grads.update(more)` as a sum over the entries. */
export function pythonMergeFix(facts: FileFacts, write: Write): readonly Suggestion[] {
  const { node, value } = write;
  if (!isCall(node) || indentBefore(facts, node) === null || !alone(facts, node)) return [];
  const target = facts.source(write.target);
  const text = `for key, c in ${operand(facts, value)}.items(): ${target}[key] = ${target}.get(key, 0) + c`;
  return [{ title: `Add to the entries of \`${target}\``, kind: "record", edits: replaced(node, text) }];
}

/** Nothing but the statement stands on its lines. */
function alone(facts: FileFacts, node: Node): boolean {
  return node.parent?.type === "ExpressionStatement" && indentBefore(facts, node) !== null;
}

/** White space in front of a node, null when something else stands there. */
export function indentBefore(facts: FileFacts, node: Node): string | null {
  const from = facts.text.lastIndexOf("\n", startOf(node) - 1) + 1;
  const before = facts.text.slice(from, startOf(node));
  return /^[ \t]*$/.test(before) ? before : null;
}

/** The body of an `if` in the place of the `if`: moved to the left as far as the condition stands. */
export function unindented(facts: FileFacts, node: Node, body: Node): string | null {
  const outer = indentBefore(facts, node);
  const inner = indentBefore(facts, body);
  if (outer === null) return null;
  // on the line of the condition
  if (inner === null) return facts.source(body);
  if (!inner.startsWith(outer)) return null;
  return facts
    .source(body)
    .split("\n")
    .map((line, i) => (i > 0 && line.startsWith(inner) ? outer + line.slice(inner.length) : line))
    .join("\n");
}
