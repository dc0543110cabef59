/** Where reverse-mode code shows itself: operations with deferred backward closures, and loops that run backwards. */
import { walksChainBack } from "./chained.js";
import type { FileFacts } from "./facts.js";
import { callsNamed, partOf } from "./lookups.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  isCall,
  isFunction,
  isMember,
  literal,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "./tree.js";
import { valuesOf } from "./values.js";

export interface Loop {
  readonly node: Node;
  /** runs from the outputs towards the inputs: counts down, pops, or walks something reversed */
  readonly reverse: boolean;
  /** key of the counter of a counting loop */
  readonly counter: string | null;
  /** keys of what the loop is at: `order[*]`, `order[i]` */
  isCurrent(key: string): boolean;
}

/** Loops and callbacks of array methods around a node, innermost first, up to the function it runs in. */
export function loopsAround(facts: FileFacts, node: Node): Loop[] {
  const home = facts.home(node);
  const known = facts.once("loops", () => new Map<Node, Loop | null>());
  const out: Loop[] = [];
  for (
    let at: Node | null | undefined = node;
    at !== null && at !== undefined && at !== home?.node;
    at = at.parent
  ) {
    if (!mayLoop(at)) continue;
    let loop = known.get(at);
    if (loop === undefined) known.set(at, (loop = describe(facts, at)));
    if (loop !== null) out.push(loop);
  }
  return out;
}

const LOOPS = new Set([
  "ForStatement",
  "ForOfStatement",
  "ForInStatement",
  "WhileStatement",
  "DoWhileStatement",
]);

const mayLoop = (node: Node): boolean => LOOPS.has(node.type) || isFunction(node);

function describe(facts: FileFacts, node: Node): Loop | null {
  const values = valuesOf(facts);
  if (node.type === "ForOfStatement" || node.type === "ForInStatement") {
    const right = child(node, "right")!;
    const whole = `${values.key(right)}[*]`;
    return { node, reverse: reversed(facts, right, node), counter: null, isCurrent: (key) => key === whole };
  }
  if (node.type === "ForStatement" || node.type === "WhileStatement" || node.type === "DoWhileStatement") {
    const counter = counterOf(facts, node);
    const suffix = counter === null ? null : `[${counter}]`;
    return {
      node,
      reverse: countsDown(node) || pops(facts, node) || walksChainBack(facts, node),
      counter,
      isCurrent: (key) =>
        suffix !== null && key.endsWith(suffix)
          ? !key.slice(0, -suffix.length).includes("[")
          : /^[^[]+\[\*\]$/.test(key),
    };
  }
  if (isFunction(node) && facts.functionOf(node)?.inline === true) {
    const call = callAround(node);
    const object = call === null ? null : receiver(call);
    if (object === null) return null;
    const whole = `${values.key(object)}[*]`;
    const name = calleeName(call!);
    return {
      node,
      reverse: name === "reduceRight" || reversed(facts, object, call!),
      counter: null,
      isCurrent: (key) => key === whole,
    };
  }
  return null;
}

function callAround(fn: Node): Node | null {
  const parent = fn.parent;
  return parent !== null && parent !== undefined && isCall(parent) ? parent : null;
}

/** Something turned round: `xs.reverse()`, or a name on which `.reverse()` was called before. */
function reversed(facts: FileFacts, node: Node, before: Node): boolean {
  let at = bare(node);
  for (let steps = 0; steps < 20; steps++) {
    if (isCall(at)) {
      const name = calleeName(at) ?? "";
      if (/^(?:toReversed|reverse|reversed)$|reverse|backwards?order/i.test(name)) return true;
      const object = receiver(at);
      if (object === null) return /topo|sort|order/i.test(name);
      if (/topo|sort/i.test(name) && !/^(?:sort|toSorted)$/.test(name)) return true;
      at = bare(object);
    } else if (at.type === "ArrayExpression") {
      const only = children(at, "elements");
      if (only.length !== 1 || only[0]?.type !== "SpreadElement") return false;
      at = bare(child(only[0], "argument")!);
    } else break;
  }
  const binding = at.type === "Identifier" ? facts.scopes.resolve(at) : null;
  if (binding === null) return false;
  if (/revers|backwards/i.test(binding.name)) return true;
  const turned = callsNamed(facts, "reverse").some((call) => {
    if (startOf(call) > startOf(before)) return false;
    const object = receiver(call);
    return object !== null && facts.binding(object) === binding;
  });
  if (turned) return true;
  return binding.definitions.some(
    ({ expression, kind, path }) =>
      kind !== "element" && path.length === 0 && expression !== node && reversedCall(expression),
  );
}

function reversedCall(node: Node): boolean {
  const inner = bare(node);
  if (!isCall(inner)) return false;
  const name = calleeName(inner) ?? "";
  return (
    /revers|topo|toposort|sorted?order/i.test(name) ||
    (/sort|order/i.test(name) && !/^(?:sort|toSorted)$/.test(name))
  );
}

/** `for (let i = n - 1; i >= 0; i--)`, `for (let i = n; i--;)`, `while (i--)`. */
function countsDown(loop: Node): boolean {
  const test = child(loop, "test");
  const update = loop.type === "ForStatement" ? child(loop, "update") : null;
  const down = (node: Node | null): boolean => {
    if (node === null) return false;
    const inner = bare(node);
    if (inner.type === "UpdateExpression") return inner.operator === "--";
    if (inner.type === "AssignmentExpression")
      return (
        inner.operator === "-=" || (inner.operator === "=" && bare(child(inner, "right")!).operator === "-")
      );
    if (inner.type === "BinaryExpression") return down(child(inner, "left")) || down(child(inner, "right"));
    if (inner.type === "SequenceExpression") return children(inner, "expressions").some((part) => down(part));
    return false;
  };
  return down(update) || down(test) || stepsOf(loop).some((step) => down(step));
}

/** `i--` of `while (i >= 0) { ...; i--; }`: a statement of the body that moves what the test asks for. */
function stepsOf(loop: Node): readonly Node[] {
  const test = loop.type === "WhileStatement" ? child(loop, "test") : null;
  const body = test === null ? null : child(loop, "body");
  const sides = test === null ? [] : [child(bare(test), "left"), child(bare(test), "right")];
  const asked = sides
    .map((side) => (side === null ? null : bare(side).name))
    .filter((name) => name != null)
    .map(String);
  return (body?.type === "BlockStatement" ? children(body, "body") : []).flatMap((statement) => {
    const step = statement?.type === "ExpressionStatement" ? bare(child(statement, "expression")!) : null;
    const moved = step === null ? null : (child(step, "argument") ?? child(step, "left"));
    return step !== null && moved !== null && asked.includes(String(bare(moved).name)) ? [step] : [];
  });
}

/**
 * A loop over a list of what is still to be done, which no count of open uses holds back: searches and walks over trees are written
 * so, too.
 */
export const takesOff = (facts: FileFacts, { node, reverse }: Loop): boolean =>
  reverse &&
  /^(?:(?:Do)?While|For)Statement$/.test(node.type) &&
  !countsDown(node) &&
  pops(facts, node) &&
  partOf(facts.updates, node).every(({ operator }) => operator !== "--") &&
  partOf(facts.assignments, node).every(
    ({ operator, right }) => operator !== "-=" || literal(right as Node) !== 1,
  );

/** Takes its elements off an end of a list: `while (stack.length) { const n = stack.pop(); ... }`. */
const pops = (facts: FileFacts, loop: Node): boolean =>
  ["pop", "shift"].some((name) => partOf(callsNamed(facts, name), loop).length > 0);

function counterOf(facts: FileFacts, loop: Node): string | null {
  const init = loop.type === "ForStatement" ? child(loop, "init") : null;
  const declared = init?.type === "VariableDeclaration" ? (init.declarations as Node[])[0] : null;
  const id =
    declared === null || declared === undefined
      ? init?.type === "AssignmentExpression"
        ? child(init, "left")
        : null
      : child(declared, "id");
  if (id !== null && id !== undefined && id.type === "Identifier") return valuesOf(facts).key(id);
  const test = child(loop, "test");
  if (test === null) return null;
  const inner = bare(test);
  const counted = inner.type === "UpdateExpression" ? child(inner, "argument") : child(inner, "left");
  return counted !== null && counted !== undefined && bare(counted).type === "Identifier"
    ? valuesOf(facts).key(counted)
    : null;
}

/** A constant that says nothing of a contribution: zero, null, a fresh buffer. */
export function isOne(node: Node): boolean {
  const inner = bare(node);
  if (literal(inner) === 1) return true;
  const name = isCall(inner) ? calleeName(inner) : null;
  if (name === "fill") return literal(argumentsOf(inner)[0] ?? inner) === 1;
  return name !== null && /^ones/i.test(name);
}

export const isPlainMember = (node: Node): boolean => isMember(node) && propertyName(node) !== null;
