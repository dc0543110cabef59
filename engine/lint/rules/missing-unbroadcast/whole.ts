/** Whole arrays: what siblings sum back, or what the forward pass repeats by a call, is put into the slot as it is. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsOf } from "../../local.js";
import { callsFrom, partOf } from "../../lookups.js";
import { lineOf, place, slotText } from "../../overwriting/words.js";
import { operationOf, operationName } from "../../operations.js";
import type { Finding } from "../../report.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  endOf,
  isCall,
  isFunction,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { addingHelpers, contributionsOf } from "../shared/contributions.js";
import { handedToAdders } from "../shared/adders.js";
import { inside, nodesIn, partsOf, runsIn } from "../shared/nodes.js";
import { elementOf } from "./one-element.js";
import { operandPlace, refusesShapes, sumsByShape } from "./by-shape.js";

const BACK =
  /un_?broad|sum_?(?:to|like|over|grad)|reduce_?(?:to|grad|broad|like|shape)|collapse|un_?expand|match_?shape|fit_?(?:to|shape)|debroad/i;
const SUMS = /^_*(?:sum|mean|reduce|collapse)|Sum|Reduce/;
const SPREADS =
  /broadcast_?(?:to|like)?$|^broadcast|^expand(?:_?(?:to|as|like|dims?))?$|^tile|^repeat|^stretch/i;
const PRODUCTS =
  /mat_?mul|^dot$|^mm$|^bmm$|outer|transpose|einsum|conv|gather|scatter|slice|concat|reshape|permute/i;

interface Payment {
  /** the write, or the call of a method that adds what it is handed */
  readonly node: Node;
  /** key of the operand, and what is paid as a person reads it */
  readonly operand: string;
  readonly slot: string;
  /** name of the slot's field, "" where a call adds to it */
  readonly field: string;
  readonly closure: Fn;
  readonly fn: Fn;
  readonly calls: ReadonlySet<string>;
}

export function* wholeArrays(facts: FileFacts): Iterable<Finding> {
  // nothing repeats, and nothing sums back: there is nobody to compare with
  const compared = facts.calls.some(repeatsSumsOrReduces);
  const all = payments(facts);
  const back = all.filter(
    (one) => [...one.calls].some((name) => BACK.test(name)) || sumsByShape(facts, one.node, one.closure),
  );
  for (const payment of all) {
    const { fn, calls } = payment;
    if ([...calls].some((name) => BACK.test(name) || SUMS.test(name) || PRODUCTS.test(name))) continue;
    const repeated =
      (compared ? repeatedIn(facts, payment) : null) ??
      stretchedIn(facts, payment) ??
      (inOutputShape(facts, payment)
        ? elementOf(facts, fn, payment.closure, payment.operand, payment.field)
        : null);
    if (repeated !== null) {
      yield report(
        payment,
        [place(repeated, "repeated here")],
        "the forward pass repeats it to the output's shape",
      );
      continue;
    }
    const pair = all.filter((other) => other.closure === payment.closure);
    if (new Set(pair.map((other) => other.operand)).size < 2 || back.length === 0) continue;
    const sibling = back.find(
      (other) =>
        other.fn !== fn &&
        sharedForward(facts, other.fn, fn) &&
        (bothBack(back, all, other.closure) || samePlace(facts, other, payment)),
    );
    if (sibling === undefined || back.includes(payment) || refusesShapes(facts, fn)) continue;
    const name = operationName(facts, sibling.node);
    yield report(
      payment,
      [place(sibling.node, "summed back here")],
      `\`${name}\`, which broadcasts in the same way, sums back to the operand's shape (line ${lineOf(facts, sibling.node)})`,
    );
  }
}

const repeatsSumsOrReduces = (call: Node): boolean => {
  const name = calleeName(call);
  return name !== null && (SPREADS.test(name) || BACK.test(name) || SUMS.test(name));
};

function report({ node, slot }: Payment, related: NonNullable<Finding["related"]>, why: string): Finding {
  return {
    start: startOf(node),
    end: endOf(node),
    message: `a contribution in the shape of the output goes into ${slot} as it is; ${why}. Sum it over the axes along which the operand was repeated.`,
    evidence: "structural",
    related,
  };
}

/** Contributions to whole slots in backward closures, with the calls that their values go through. */
function payments(facts: FileFacts): readonly Payment[] {
  const out: Payment[] = [];
  const note = (node: Node, operand: string, slot: string, field = ""): void => {
    const closure = runsIn(facts, node);
    const operation = closure === null ? null : operationOf(facts, closure);
    if (closure === null || operation === null || !operation.linked) return;
    out.push({ node, operand, slot, field, closure, fn: operation.fn, calls: callNames(facts, node) });
  };
  for (const one of contributionsOf(facts))
    if (!one.write.element && one.weighed!.carried)
      note(one.write.node, one.operand, slotText(facts, one.write), one.write.name);
  for (const { fn, node } of addingHelpers(facts))
    for (const call of callsOf(facts, fn)) {
      const operand = node === -1 ? receiver(call) : (argumentsOf(call)[node] ?? null);
      if (operand === null || argumentsOf(call).length !== fn.params.length) continue;
      note(call, valuesOf(facts).key(operand), `\`${facts.source(operand)}\``);
    }
  for (const { call, operand } of handedToAdders(facts))
    if (!out.some(({ node }) => node === call))
      note(call, valuesOf(facts).key(operand), `\`${facts.source(operand)}\``);
  return out;
}

/** Names of calls in a statement and in the locals it reads. */
function callNames(facts: FileFacts, root: Node): ReadonlySet<string> {
  const names = new Set<string>();
  const queue = [root];
  const seen = new Set<unknown>();
  while (queue.length > 0)
    for (const node of partsOf(queue.pop()!)) {
      // `g.slice()` is a copy
      const copies = isCall(node) && calleeName(node) === "slice" && argumentsOf(node).length === 0;
      const name = facts.isCall(node) && !copies ? calleeName(node) : null;
      if (name !== null) names.add(name);
      const binding = node.type === "Identifier" ? facts.scopes.resolve(node) : null;
      if (binding === null || seen.has(binding) || binding.kind !== "variable") continue;
      seen.add(binding);
      const home = facts.home(root);
      for (const { expression } of binding.definitions)
        // what is hung on a local (`out.back = () => ...`) is no part of what it holds
        if (facts.home(expression) === home && !isFunction(bare(expression))) queue.push(expression);
    }
  return names;
}

/** `b.data.broadcastTo(x.shape)`, `tile(b.data, n)`: where the operand is repeated in the forward pass. */
function repeatedIn(facts: FileFacts, { operand, closure, fn }: Payment): Node | null {
  const values = valuesOf(facts);
  const isOperand = (node: Node | null): boolean =>
    node !== null && (values.key(node) === operand || values.key(node).startsWith(`${operand}.`));
  return (
    partOf(facts.calls, fn.node).find(
      (call) =>
        !inside(call, closure.node) &&
        SPREADS.test(calleeName(call) ?? "") &&
        (isOperand(receiver(call)) || (argumentsOf(call).length > 1 && isOperand(argumentsOf(call)[0]))) &&
        !/shape/i.test(calleeName(call) ?? ""),
    ) ?? null
  );
}

/** `x.map((row) => row.map((v, j) => v + b.data[0][j]))`: one row of the operand beside every row of another. */
function stretchedIn(facts: FileFacts, { operand, closure, fn, node }: Payment): Node | null {
  const paid = argumentsOf(node).at(-1);
  // what is paid is the output's cotangent as it is, in the output's shape
  if (paid === undefined || !isCotangent(facts, paid)) return null;
  const values = valuesOf(facts);
  for (const member of nodesIn(facts, "MemberExpression", fn.node)) {
    if (
      inside(member, closure.node) ||
      propertyName(member) !== null ||
      member.parent?.type === "MemberExpression"
    )
      continue;
    if (!values.key(member).startsWith(`${operand}.`)) continue;
    const around: Node[] = [];
    for (let at = member.parent; at != null && at !== fn.node; at = at.parent)
      if (facts.functionOf(at)?.inline === true) around.push(at);
    const outermost = around.at(-1);
    // `b.data[i % c]`: one row of the operand again and again
    if (outermost !== undefined && wrapsAround(child(member, "property")!)) return member;
    if (around.length < 2 || outermost === undefined) continue;
    const ofOuter = partsOf(member).some(
      (part) =>
        part.type === "Identifier" &&
        children(outermost, "params").some(
          (param) =>
            param !== null && facts.binding(param) === facts.binding(part) && facts.binding(part) !== null,
        ),
    );
    const list = outermost.parent != null && isCall(outermost.parent) ? receiver(outermost.parent) : null;
    const other = list !== null && !values.key(list).startsWith(operand);
    if (!ofOuter && other) return member;
  }
  return null;
}

/** `out.grad.map((g, i) => g * x.data[i])`, `out.grad.times(x.value)`: an element for each of the output's. */
function inOutputShape(facts: FileFacts, { node }: Payment): boolean {
  return partsOf(node).some((part) => {
    const name = isCall(part) ? (calleeName(part) ?? "") : "";
    const list = isCall(part) ? receiver(part) : null;
    return list !== null && /^(?:map$|times|mul|hadamard)/.test(name) && isCotangent(facts, list);
  });
}

/** `i % c`, `Math.floor(i / c)`: several turns give one place. */
function wrapsAround(index: Node): boolean {
  const inner = bare(index);
  if (inner.type === "BinaryExpression") return inner.operator === "%";
  const [divided] =
    isCall(inner) && /^(?:floor|trunc)$/.test(calleeName(inner) ?? "") ? argumentsOf(inner) : [];
  return divided !== undefined && bare(divided).operator === "/";
}

/** `out.grad`, or what the closure is handed, or a copy of it. */
function isCotangent(facts: FileFacts, node: Node): boolean {
  const inner = bare(node);
  const copied =
    isCall(inner) && calleeName(inner) === "slice" && argumentsOf(inner).length === 0
      ? receiver(inner)
      : null;
  if (copied !== null) return isCotangent(facts, copied);
  return facts.binding(inner)?.kind === "param" || facts.names.gradient(propertyName(inner) ?? "") > 0;
}

/** Every operand that the sibling pays is summed back: so both of its operands may be broadcast. */
function bothBack(back: readonly Payment[], all: readonly Payment[], closure: Fn): boolean {
  const own = all.filter((other) => other.closure === closure);
  return own.length > 1 && own.every((other) => back.includes(other));
}

/** The two pay the same operand of their operations: the second of `add` and the second of `sub`. */
function samePlace(facts: FileFacts, a: Payment, b: Payment): boolean {
  const place = operandPlace(facts, a.fn, a.operand);
  return place !== null && place === operandPlace(facts, b.fn, b.operand);
}

/** Both forward passes go through one helper of the file that is no constructor. */
function sharedForward(facts: FileFacts, a: Fn, b: Fn): boolean {
  const names = (fn: Fn): ReadonlySet<string> =>
    new Set(
      callsFrom(facts, fn)
        .map((call) => calleeName(call) ?? "")
        .filter((name) =>
          /broad|element|binary|zip|pair|op\b|_op|Op$|apply|map2|add|sub|mul|div/i.test(name),
        ),
    );
  const mine = names(a);
  const elementwise = (set: ReadonlySet<string>): boolean =>
    [...set].some((name) => /^(?:add|sub|mul|div|minus|plus|times)/.test(name));
  const other = names(b);
  return [...other].some((name) => mine.has(name)) || (elementwise(mine) && elementwise(other));
}
