/**
 * A layer that works in place and keeps the very array it writes over. That is right where the backward method works with the output
 * (`1 - y * y`), and wrong where it asks for the input: it applies the same function once more, or its derivative.
 */
import type { FileFacts } from "../../facts.js";
import { bare, child, children, isCall, isMember, startOf, walk, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf, type Write } from "../../writes.js";
import { inside, partsOf } from "../shared/nodes.js";
import type { Keep } from "./layer-keeps.js";

/** Derivatives by the input that no function of the output alone is written as. */
const BY_INPUT: readonly (readonly [RegExp, RegExp])[] = [
  [/^Math\.sin\(@\)$/, /Math\.cos\(@\)/],
  [/^Math\.cos\(@\)$/, /Math\.sin\(@\)/],
  [/^Math\.(?:log|log1p)\(@\)$/, /\/@$|\/\(1\+@\)$/],
  [/^(?:@\*@|@\*\*2)$/, /^(?!.*sqrt).*@/],
  [/^(?:@\*@\*@|@\*\*3)$/, /^(?!.*cbrt).*@/],
];

/** Stores over the kept array; over one of its own once it is kept. */
export function* inPlaceForwards(facts: FileFacts, keep: Keep): Iterable<Node> {
  if (!keep.alone) return;
  const input = keep.key;
  for (const write of writesOf(facts)) {
    if (!inside(write.node, keep.forward.node) || !write.element || write.container !== input) continue;
    if (!/^(?:assign|scale)$/.test(write.form)) continue;
    if (keep.param < 0 && startOf(write.node) < startOf(keep.node)) continue;
    if (needsInput(facts, keep, write, input)) yield write.node;
  }
}

function needsInput(facts: FileFacts, keep: Keep, write: Write, input: string): boolean {
  const forth = spelled(facts, write.value, `${input}[`);
  const saved = `this.${keep.field}[`;
  const calls = callsOn(facts, write.value, `${input}[`);
  const parts = partsOf(keep.backward.node);
  const back = parts.filter(isCall).map((call) => spelled(facts, call, saved));
  if (back.some((call) => call.includes("@") && calls.has(call))) return true;
  const whole = parts
    .filter((part) => part.type === "BinaryExpression" || isCall(part))
    .map((part) => spelled(facts, part, saved))
    .filter((text) => text.includes("@"));
  if (BY_INPUT.some(([f, df]) => f.test(forth) && whole.some((text) => df.test(text)))) return true;
  return scales(facts, write, forth) && paysWith(facts, keep, saved);
}

/** `x[i] *= this.w[i]`, `x[i] = x[i] * this.gamma + this.beta`: the gradient of the factor is made of the input. */
const scales = (_facts: FileFacts, write: Write, forth: string): boolean =>
  write.form === "scale"
    ? write.node.operator === "*=" && /^this\./.test(forth)
    : /(?:^|[(+])(?:@\*this\.[\w.$]+|this\.[\w.$]+(?:\[[^\]]*\])?\*@)/.test(forth);

/** `this.dw[i] += dy[i] * this.x[i]`. */
const paysWith = (facts: FileFacts, keep: Keep, saved: string): boolean =>
  writesOf(facts).some(
    ({ node, name, form, value }) =>
      inside(node, keep.backward.node) &&
      /^(?:add|assign)$/.test(form) &&
      facts.names.gradient(name) > 0 &&
      /(?:^|[*(+])@(?:$|[*)+])/.test(spelled(facts, value, saved)),
  );

/** Calls that the value makes of elements of the input, spelled. */
function callsOn(facts: FileFacts, value: Node, prefix: string): ReadonlySet<string> {
  const out = new Set<string>();
  const seen = new Set<Node>();
  const queue = [value];
  while (queue.length > 0)
    walk(queue.pop()!, (part) => {
      if (isCall(part)) out.add(spelled(facts, part, prefix));
      // `const e = Math.exp(-x[i]); x[i] = x[i] / (1 + e);`
      const [only, ...more] = part.type === "Identifier" ? (facts.binding(part)?.definitions ?? []) : [];
      if (only === undefined || more.length > 0 || seen.has(only.expression)) return;
      seen.add(only.expression);
      queue.push(only.expression);
    });
  return out;
}

/** The text of a value in which elements of an array are `@`; blanks and brackets that change nothing are left out. */
function spelled(facts: FileFacts, node: Node, prefix: string): string {
  const inner = bare(node);
  if (inner.type === "Identifier" || isMember(inner)) {
    const key = valuesOf(facts).key(inner);
    if (key.startsWith(prefix) && key.indexOf("]") === key.length - 1) return "@";
    return facts.source(inner).replace(/\s+/g, "");
  }
  if (isCall(inner))
    return `${facts.source(child(inner, "callee")!).replace(/\s+/g, "")}(${children(inner, "arguments")
      .map((one) => (one === null ? "" : spelled(facts, one, prefix)))
      .join()})`;
  if (inner.type === "BinaryExpression") {
    const side = (name: string): string => {
      const one = bare(child(inner, name)!);
      const text = spelled(facts, one, prefix);
      return one.type === "BinaryExpression" && one.operator !== inner.operator ? `(${text})` : text;
    };
    return `${side("left")}${String(inner.operator)}${side("right")}`;
  }
  if (inner.type === "UnaryExpression")
    return `${String(inner.operator)}${spelled(facts, child(inner, "argument")!, prefix)}`;
  return facts.source(inner).replace(/\s+/g, "");
}
