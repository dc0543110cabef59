/** Rewrites of calls that hand a contribution to a function which assigns it: the function keeps its right, the call adds. */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { isPythonText } from "../language.js";
import type { Suggestion } from "../report.js";
import { addingHelpers } from "../rules/shared/contributions.js";
import {
  bare,
  child,
  children,
  endOf,
  isCall,
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { contentOf, elementLoop } from "./fixes.js";
import { handedArguments, handedParams } from "./handing.js";
import type { HelperWrite } from "./helpers.js";
import type { Judged } from "./judge.js";

/** By another function of the file that adds, or by the sum written out where the call stands. */
export function callFixes(
  facts: FileFacts,
  helper: HelperWrite,
  call: Node,
  siblings: readonly Judged[],
): readonly Suggestion[] {
  if (isPythonText(facts) || !isCall(call)) return [];
  return byAdder(facts, helper, call) ?? writtenOut(facts, helper, call, siblings);
}

/** `setGrad(a, g)` as `addGrad(a, g)`, `a.setGrad(g)` as `a.addGrad(g)`: handed over in the same way. */
function byAdder(facts: FileFacts, helper: HelperWrite, call: Node): readonly Suggestion[] | null {
  const { fn } = helper;
  const adder = addingHelpers(facts).find(
    (other) =>
      other.fn !== fn &&
      other.fn.params.length === fn.params.length &&
      other.fn.owner === fn.owner &&
      (other.fn.kind === "method") === (fn.kind === "method") &&
      other.node === nodeOf(facts, helper),
  );
  const callee = bare(child(call, "callee")!);
  const name = isMember(callee) ? child(callee, "property") : callee;
  if (adder === undefined || name === null || name.type !== "Identifier" || callee.computed === true)
    return null;
  return [
    {
      title: `Call \`${adder.fn.name}\` instead`,
      kind: "rewrite",
      edits: [{ start: startOf(name), end: endOf(name), text: adder.fn.name }],
    },
  ];
}

/** `mulT(U, dy, dx)`, which fills `dx`, as a call that fills a copy, and a loop that adds it. */
export function fillingFix(facts: FileFacts, call: Node, buffer: Node): readonly Suggestion[] {
  const whole = call.parent;
  if (isPythonText(facts) || whole?.type !== "ExpressionStatement") return [];
  const name = facts.source(buffer);
  const from = startOf(call);
  const text = facts.source(call);
  const filling = text.slice(0, startOf(buffer) - from) + "c" + text.slice(endOf(buffer) - from);
  return [
    {
      title: `Fill a copy and add it to \`${name}\``,
      kind: "elements",
      edits: [
        {
          start: startOf(whole),
          end: endOf(whole),
          text: `{ const c = ${name}.slice(); ${filling}; for (let k = 0; k < c.length; k++) ${name}[k] += c[k]; }`,
        },
      ],
    },
  ];
}

/** Which parameter the paid node is; -1: what the method is called on. */
function nodeOf(facts: FileFacts, { fn, judged }: HelperWrite): number {
  const { objectKey } = judged.write;
  return objectKey === "this"
    ? -1
    : handedParams(fn).findIndex((param) => valuesOf(facts).key(param) === objectKey);
}

/** `a.setGrad(c)` as `a.grad += c`, `copyInto(x.grad, c)` as a loop over the elements: where the function does nothing else. */
function writtenOut(
  facts: FileFacts,
  helper: HelperWrite,
  call: Node,
  siblings: readonly Judged[],
): readonly Suggestion[] {
  const whole = call.parent;
  const { write } = helper.judged;
  const value = handedArguments(call)[helper.carries];
  if (whole?.type !== "ExpressionStatement" || value === undefined || !doesOnly(helper.fn, write.node))
    return [];
  const edit = (text: string): Suggestion["edits"] => [{ start: startOf(whole), end: endOf(whole), text }];
  if (write.object === null) {
    const target = handedArguments(call).find(
      (argument, at) => at !== helper.carries && isMember(bare(argument)),
    );
    if (target === undefined) return [];
    const slot = facts.source(target);
    return [
      {
        title: `Add to \`${slot}\` element by element`,
        kind: "elements",
        edits: edit(elementLoop(facts, slot, value)),
      },
    ];
  }
  const at = nodeOf(facts, helper);
  const node = at === -1 ? receiver(call) : handedArguments(call)[at];
  // a private field is out of reach
  if (node == null || write.form !== "assign" || /^#/.test(write.name)) return [];
  if (bare(write.value).type !== "Identifier" || propertyName(bare(write.target)) !== write.name) return [];
  if (contentOf(facts, write, siblings) !== "number") return [];
  const slot = `${facts.source(node)}.${write.name}`;
  return [{ title: `Add to \`${slot}\``, kind: "number", edits: edit(`${slot} += ${facts.source(value)};`) }];
}

/** The function stores and does nothing else, but for the loop that it stores in. */
function doesOnly(fn: Fn, store: Node): boolean {
  let at: Node | null | undefined = store.parent;
  for (; at != null && at !== fn.node; at = at.parent) {
    if (at.type === "BlockStatement" && children(at, "body").length > 1) return false;
    if (at.type === "IfStatement") return false;
  }
  return at === fn.node;
}
