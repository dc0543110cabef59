/** Rewrites that add instead of assign, by what the slot holds. They change results, so they are suggestions. */
import type { FileFacts } from "../facts.js";
import { isPythonText } from "../language.js";
import { pythonFixes, pythonMergeFix } from "../python/fixes.js";
import type { Edit, Suggestion } from "../report.js";
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
  keyName,
  literal,
  propertyName,
  receiver,
  startOf,
  walk,
  type Node,
} from "../tree.js";
import type { Write } from "../writes.js";
import type { Judged } from "./judge.js";
import { operatorAt } from "./operators.js";
import { readLater } from "./read-later.js";
import { chainFix, chainOf, givesOn } from "./chain-fixes.js";
import { slotNamesOf } from "./slots.js";

type Content = "number" | "method" | "elements";

/** What the slot holds: from its type, its first value, its siblings, the value itself. */
export function contentOf(facts: FileFacts, write: Write, siblings: readonly Judged[]): Content {
  const names = new Set(slotNamesOf(facts).same(write.name));
  for (const field of facts.fields) {
    if (!names.has(keyName(child(field, "key")!, false) ?? "")) continue;
    const type = typeText(facts, field);
    if (/^(?:number|Float)?number\b/.test(type)) return "number";
    if (/Array|\[\]/.test(type)) return "elements";
    if (type !== "") return "method";
    const value = child(field, "value");
    if (value !== null && typeof literal(value) === "number") return "number";
  }
  for (const { write: sibling } of siblings) {
    if (sibling.form === "add" && !sibling.element) return "number";
    if (sibling.form === "add" && sibling.element && !write.element) return "elements";
    if (sibling.form === "assign" && isCall(bare(sibling.value))) return "method";
  }
  if (write.element && write.object !== null) return "number";
  for (const node of facts.assignments) {
    const left = bare(child(node, "left")!);
    if (!isMember(left) || !names.has(propertyName(left) ?? "")) continue;
    const right = bare(child(node, "right")!);
    if (typeof literal(right) === "number") return "number";
    if (right.type === "NewExpression" && /Array$/.test(calleeName(right) ?? "")) return "elements";
  }
  const value = bare(write.value);
  if (value.type === "NewExpression" || (isCall(value) && /Array|^map$/.test(calleeName(value) ?? "")))
    return "elements";
  let arithmetic = false;
  walk(value, (node) => {
    if (node.type === "BinaryExpression") arithmetic = true;
    return !isFunction(node);
  });
  return arithmetic
    ? "number"
    : isCall(value) && receiver(value) !== null && calleeName(value) !== "map"
      ? "method"
      : "number";
}

function typeText(facts: FileFacts, field: Node): string {
  const annotation = child(field, "typeAnnotation");
  if (annotation === null) return "";
  return facts
    .source(annotation)
    .replace(/^:\s*/, "")
    .replace(/^.*?\b(number|null|undefined)\s*\|\s*/, (_text, first: string) =>
      first === "number" ? "number " : "",
    );
}

/** What a statement can be put in the place of: the statement, or the body of an arrow. */
function statement(node: Node): Node | null {
  const parent = node.parent;
  if (parent?.type === "ExpressionStatement") return parent;
  return parent?.type === "ArrowFunctionExpression" && child(parent, "body") === node ? node : null;
}

/** Statements in the place of what `statement` gave. */
const put = (whole: Node, text: string): Edit[] => [
  {
    start: startOf(whole),
    end: endOf(whole),
    text: whole.type === "ExpressionStatement" || text.startsWith("{") ? text : `{ ${text} }`,
  },
];

/** A sum reads `c` and `a + b` bare, everything else in parentheses. */
function operand(facts: FileFacts, node: Node): string {
  const text = facts.source(node);
  return /^(?:Identifier|MemberExpression|Literal|CallExpression|ThisExpression)$/.test(bare(node).type) ||
    (bare(node).type === "BinaryExpression" && node.operator !== ",")
    ? text
    : `(${text})`;
}

export function fixesFor(facts: FileFacts, write: Write, siblings: readonly Judged[]): readonly Suggestion[] {
  if (readLater(facts, write)) return [];
  if (isPythonText(facts)) return pythonFixes(facts, write, siblings);
  const out: Suggestion[] = [];
  const slot = facts.source(write.target);
  const value = write.value;
  const replace = (text: string, node: Node = write.node): Edit[] => [
    { start: startOf(node), end: endOf(node), text },
  ];
  switch (write.form) {
    case "assign": {
      const content = write.object === null ? "number" : contentOf(facts, write, siblings);
      const chain = chainOf(write.node);
      if (chain !== null)
        return content === "number" ? chainFix(facts, write, chain, statement(chain.whole)) : [];
      if (givesOn(write.node)) break;
      const operator = operatorAt(facts, write.node, "=");
      if (content === "number" && operator !== null)
        out.push({
          title: `Add to \`${slot}\``,
          kind: "number",
          edits: [{ start: operator, end: operator + 1, text: "+=" }],
        });
      else if (content === "method") {
        const method = siblingMethod(siblings);
        out.push({
          title: `Add to \`${slot}\` with \`.${method}\``,
          kind: "method",
          edits: replace(`${slot} = ${slot}.${method}(${facts.source(value)})`),
        });
      } else if (content === "elements") {
        const whole = statement(write.node);
        if (whole !== null)
          out.push({
            title: `Add to \`${slot}\` element by element`,
            kind: "elements",
            edits: put(whole, elementLoop(facts, slot, value)),
          });
      }
      break;
    }
    case "default":
      out.push({
        title: `Add to \`${slot}\``,
        kind: "number",
        edits: replace(`${slot} = (${slot} ?? 0) + ${operand(facts, value)}`),
      });
      break;
    case "buffer-set":
    case "buffer-fill": {
      const whole = statement(write.node);
      if (whole === null || calleeName(write.node) === "copyWithin") break;
      const text =
        write.form === "buffer-fill"
          ? `for (let k = 0; k < ${slot}.length; k++) ${slot}[k] += ${operand(facts, value)};`
          : elementLoop(facts, slot, value, offsetOf(facts, write.node));
      out.push({
        title: `Add to \`${slot}\` element by element`,
        kind: "elements",
        edits: put(whole, text),
      });
      break;
    }
    case "map-set": {
      const [, given] = argumentsOf(write.node);
      // not `bars.splice(p, 1, c)`, `adj.with(p, c)`
      if (calleeName(write.node) !== "set") break;
      const text = `(${slot}.get(${facts.source(write.index!)}) ?? 0) + ${operand(facts, value)}`;
      out.push({
        title: `Add to the entry of \`${slot}\``,
        kind: "map",
        edits: [{ start: startOf(given), end: endOf(given), text }],
      });
      break;
    }
    case "spread":
    case "object-assign": {
      const old =
        write.container === "" ? `${slot}.${write.name}` : `(${slot}[${facts.source(write.index!)}] ?? 0)`;
      out.push({
        title: "Add to the old value",
        kind: "record",
        edits: [{ start: startOf(value), end: endOf(value), text: `${old} + ${operand(facts, value)}` }],
      });
      break;
    }
    case "destructure":
      out.push(...destructured(facts, write));
  }
  return out;
}

function offsetOf(facts: FileFacts, call: Node): string | null {
  const at = argumentsOf(call)[1];
  return at === undefined || literal(at) === 0 ? null : facts.source(at);
}

export function elementLoop(
  facts: FileFacts,
  slot: string,
  value: Node,
  offset: string | null = null,
): string {
  const at = offset === null ? "k" : `${offset} + k`;
  const inner = bare(value);
  if (inner.type === "Identifier" || isMember(inner)) {
    const source = facts.source(inner);
    return `for (let k = 0; k < ${source}.length; k++) ${slot}[${at}] += ${source}[k];`;
  }
  return `{ const c = ${facts.source(value)}; for (let k = 0; k < c.length; k++) ${slot}[${at}] += c[k]; }`;
}

/** How siblings add: `slot = slot.plus(c)` gives "plus". */
function siblingMethod(siblings: readonly Judged[]): string {
  for (const { write } of siblings) {
    const value = bare(write.value);
    const name = isCall(value) && receiver(value) !== null ? calleeName(value) : null;
    if (name !== null && /^(?:add|plus|sum)/.test(name)) return name;
  }
  return "add";
}

/** `[a.grad, b.grad] = vjp(g);` as one addition each. */
function destructured(facts: FileFacts, write: Write): readonly Suggestion[] {
  const whole = statement(write.node);
  const pattern = bare(child(write.node, "left")!);
  if (whole === null || pattern.type !== "ArrayPattern") return [];
  const targets = children(pattern, "elements");
  if (targets.some((target) => target !== null && !isMember(bare(target)))) return [];
  const names = targets.map((target, i) => (target === null ? "" : `c${i}`));
  const sums = targets.map((target, i) => (target === null ? "" : ` ${facts.source(target)} += c${i};`));
  return [
    {
      title: "Add each part",
      kind: "rewrite",
      edits: [
        {
          start: startOf(whole),
          end: endOf(whole),
          text: `{ const [${names.join(", ")}] = ${facts.source(write.value)};${sums.join("")} }`,
        },
      ],
    },
  ];
}

/** `{ ...a, ...b }` as a sum over the entries of both. */
function spreadFix(facts: FileFacts, write: Write): readonly Suggestion[] {
  const record = write.node.parent;
  const parts = record === null || record === undefined ? [] : children(record, "properties");
  if (parts.length !== 2 || parts.some((part) => part?.type !== "SpreadElement")) return [];
  const [first, second] = parts.map((part) => facts.source(child(part!, "argument")!));
  const text = `Object.entries(${second}).reduce((sum, [name, c]) => ({ ...sum, [name]: (sum[name] ?? 0) + c }), ${first})`;
  return [
    {
      title: "Add the entries of both",
      kind: "record",
      edits: [{ start: startOf(record!), end: endOf(record!), text }],
    },
  ];
}

export function mergeFix(facts: FileFacts, write: Write): readonly Suggestion[] {
  if (isPythonText(facts)) return pythonMergeFix(facts, write);
  const target = facts.source(write.target);
  if (write.form === "spread") return fixesFor(facts, write, []);
  if (!isCall(write.node)) return spreadFix(facts, write);
  const whole = statement(write.node);
  if (whole === null || identifier(bare(write.target)) === null) return [];
  const args = argumentsOf(write.node);
  if (args.length !== 2) return [];
  const text = `for (const [name, c] of Object.entries(${facts.source(write.value)})) ${target}[name] = (${target}[name] ?? 0) + c;`;
  return [
    {
      title: `Add to the entries of \`${target}\``,
      kind: "record",
      edits: put(whole, text),
    },
  ];
}
