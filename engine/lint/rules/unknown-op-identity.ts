/**
 * A table of rules whose last resort hands the cotangent on as it is. An operation that somebody adds and whose rule
 * is forgotten then counts as the identity: no error, a wrong gradient.
 */
import type { FileFacts } from "../facts.js";
import { isBackward } from "../overwriting/evidence.js";
import { place } from "../overwriting/words.js";
import { everySeverity, type Finding, type Rule, type Suggestion } from "../report.js";
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
  literal,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import { contributionsOf, showsContributions, type Contribution } from "./shared/contributions.js";
import { inside, nodesOf, partsOf, runsIn } from "./shared/nodes.js";

export const unknownOpIdentity: Rule = {
  name: "unknown-op-identity",
  summary: "an operation without a rule hands its cotangent on as if it were the identity",
  severity: everySeverity("warning"),
  *check(facts: FileFacts): Iterable<Finding> {
    if (!showsContributions(facts) && !showsRules(facts)) return;
    const found = [...switches(facts), ...chains(facts), ...lookups(facts)];
    found.sort((a, b) => a.start - b.start);
    yield* found;
  },
};

/** A function named for the reverse sweep that is handed a cotangent. */
const showsRules = (facts: FileFacts): boolean =>
  facts.functions.some(
    (fn) =>
      (isBackward(facts, fn) || /vjp|pull_?back|adjoint/i.test(fn.name)) &&
      fn.params.some((param) => facts.names.gradient(String(bare(param).name ?? "")) > 0),
  );

const MESSAGE =
  "an operation that no rule is written for hands its cotangent on as if it were the identity: one whose rule is forgotten gives a wrong gradient and no error. Throw for what is not known.";

function* switches(facts: FileFacts): Iterable<Finding> {
  for (const node of nodesOf(facts, "SwitchStatement")) {
    const cases = children(node, "cases").filter((one) => one !== null);
    const last = cases.find((one) => child(one, "test") === null);
    if (last === undefined || cases.length < 2) continue;
    const named = cases.filter((one) => one !== last && works(facts, one));
    if (named.length === 0 || !sweeps(facts, node)) continue;
    const at = cases.indexOf(last);
    // `case "copy": default:` has a name for it too, and still takes all others
    const through = passesThrough(facts, last, cases);
    if (through === null || isOwnRule(facts, last, cases, named)) continue;
    yield finding(
      facts,
      last,
      bodyEdits(facts, last, child(node, "discriminant")!, at === cases.length - 1),
      through,
    );
  }
}

function finding(_facts: FileFacts, node: Node, suggestions: readonly Suggestion[], through: Node): Finding {
  return {
    start: startOf(node),
    end: endOf(node),
    message: MESSAGE,
    evidence: "structural",
    related: [place(through, "the cotangent as it is")],
    suggestions,
  };
}

function bodyEdits(facts: FileFacts, node: Node, discriminant: Node, last: boolean): readonly Suggestion[] {
  const body = children(node, "consequent").filter((one) => one !== null);
  if (body.length === 0 || !last) return [];
  return [
    {
      title: "Throw for an operation without a rule",
      kind: "rewrite",
      edits: [
        {
          start: startOf(body[0]),
          end: endOf(body[body.length - 1]),
          text: `throw new Error(\`no rule for \${String(${facts.source(discriminant)})}\`);`,
        },
      ],
    },
  ];
}

const contributionsIn = (facts: FileFacts, node: Node): readonly Contribution[] =>
  contributionsOf(facts).filter(({ write, weighed }) => weighed!.carried && inside(write.node, node));

/** A case that pays or returns something worked out of the cotangent. */
const works = (facts: FileFacts, node: Node): boolean =>
  contributionsIn(facts, node).length > 0 ||
  returnsIn(node).some((value) =>
    partsOf(value).some(({ type }) => type === "BinaryExpression" || type === "CallExpression"),
  );

const returnsIn = (node: Node): Node[] =>
  partsOf(node)
    .filter(({ type }) => type === "ReturnStatement")
    .map((one) => child(one, "argument"))
    .filter((one) => one !== null);

/** The switch stands in the reverse sweep. */
function sweeps(facts: FileFacts, node: Node): boolean {
  if (contributionsIn(facts, node).some(({ weighed }) => weighed!.reverse || weighed!.upstream !== null))
    return true;
  const fn = runsIn(facts, node);
  return fn !== null && (isBackward(facts, fn) || facts.names.derivative(fn.name));
}

/** The place where the body hands the cotangent on unchanged, null when it does something else. */
function passesThrough(facts: FileFacts, node: Node, cases: readonly Node[]): Node | null {
  const at = cases.indexOf(node);
  let body = children(node, "consequent").filter((one) => one !== null);
  // an empty default falls into what stands below it
  if (body.length === 0 && at >= 0 && at < cases.length - 1)
    body = children(cases[at + 1], "consequent").filter((one) => one !== null);
  if (body.some((part) => partsOf(part).some(({ type }) => type === "ThrowStatement"))) return null;
  for (const part of body) {
    const paid = contributionsIn(facts, part);
    for (const { write } of paid) if (unchanged(facts, write.value)) return write.node;
    if (paid.length > 0) return null;
    for (const value of returnsIn(part)) if (handsOn(facts, value)) return value;
  }
  return null;
}

/** A bare cotangent: a slot, a local that holds one, the parameter that is handed in, or the old sum plus one of these. */
function unchanged(facts: FileFacts, value: Node): boolean {
  const inner = bare(value);
  if (inner.type === "BinaryExpression" && inner.operator === "+") {
    const sides = [child(inner, "left")!, child(inner, "right")!].map(bare);
    return (
      sides.some((side) => unchanged(facts, side)) && sides.every((side) => side.type !== "BinaryExpression")
    );
  }
  if (isCall(inner)) {
    const name = calleeName(inner) ?? "";
    const args = argumentsOf(inner);
    if (/^add|^plus|accum/i.test(name) && args.length > 0) return args.some((arg) => unchanged(facts, arg));
    return name === "get" && receiver(inner) !== null && cotangentName(facts, receiver(inner)!);
  }
  if (inner.type === "LogicalExpression") return unchanged(facts, child(inner, "left")!);
  if (inner.type === "Identifier") {
    if (cotangentName(facts, inner)) return true;
    const binding = facts.scopes.resolve(inner);
    const [only, ...more] = binding?.definitions ?? [];
    return (
      only !== undefined &&
      more.length === 0 &&
      binding?.kind === "variable" &&
      isMemberOrGet(only.expression) &&
      unchanged(facts, only.expression)
    );
  }
  if (isMember(inner)) {
    const name = propertyName(inner);
    if (name !== null) return facts.names.gradient(name) > 0;
    return cotangentName(facts, child(inner, "object")!);
  }
  return false;
}

function isMemberOrGet(node: Node): boolean {
  const inner = bare(node);
  return isMember(inner) || isCall(inner) || inner.type === "LogicalExpression";
}

function cotangentName(facts: FileFacts, node: Node): boolean {
  const inner = bare(node);
  const name = isMember(inner) ? propertyName(inner) : identifier(inner);
  return name !== null && (facts.names.gradient(name) > 0 || /^(?:u|up|w|out[gG]|og|dy|ybar)$/.test(name));
}

/** `[g]`, `g`, `inputs.map(() => g)`, `{ a: g }`: what a rule returns, with nothing done to it. */
function handsOn(facts: FileFacts, value: Node): boolean {
  const inner = bare(value);
  if (inner.type === "ArrayExpression") {
    const elements = children(inner, "elements").filter((e) => e !== null);
    return (
      elements.length > 0 &&
      elements.some((e) => unchanged(facts, e)) &&
      elements.every((e) => unchanged(facts, e) || literal(e) === 0)
    );
  }
  if (isCall(inner) && /^(?:map|fill|from)$/.test(calleeName(inner) ?? "")) {
    const last = argumentsOf(inner).at(-1);
    if (last === undefined) return false;
    const fn = isFunction(bare(last)) ? facts.functionOf(bare(last)) : null;
    return fn === null
      ? calleeName(inner) === "fill" && unchanged(facts, last)
      : fn.returns.some((one) => unchanged(facts, one));
  }
  return unchanged(facts, inner);
}

/** `default:` as the rule of a sum: it pays two operands, and no case is named for a sum. */
function isOwnRule(facts: FileFacts, last: Node, cases: readonly Node[], named: readonly Node[]): boolean {
  const paid = new Set(contributionsIn(facts, last).map(({ operand }) => operand));
  const listed = returnsIn(last).map((value) => children(bare(value), "elements").length);
  if (paid.size < 2 && !listed.some((n) => n > 1)) return false;
  const labels = cases
    .map((one) => child(one, "test"))
    .map((test) => (test === null ? "" : facts.source(test)));
  return !labels.some((label) => /add|sum|plus|\+/i.test(label)) && named.length > 0;
}

/** `if (op === "mul") ... else if (op === "sin") ... else parent.grad += g`. */
function* chains(facts: FileFacts): Iterable<Finding> {
  for (const node of nodesOf(facts, "IfStatement")) {
    if (node.parent?.type === "IfStatement" && child(node.parent, "alternate") === node) continue;
    const branches: Node[] = [];
    let asked: string | null = null;
    let at: Node | null = node;
    let same = true;
    while (at !== null && at.type === "IfStatement") {
      const key = askedFor(facts, child(at, "test")!);
      if (key === null || (asked !== null && asked !== key)) same = false;
      asked ??= key;
      branches.push(child(at, "consequent")!);
      at = child(at, "alternate");
    }
    if (
      !same ||
      at === null ||
      branches.length < 2 ||
      !branches.some((one) => works(facts, one)) ||
      !sweeps(facts, node)
    )
      continue;
    const labels = partsOf(node).filter(
      (part) => part.type === "Literal" && typeof literal(part) === "string",
    );
    const through = passesThroughBlock(facts, at);
    if (through === null) continue;
    const paid = new Set(contributionsIn(facts, at).map(({ operand }) => operand));
    const listed = returnsIn(at).some((value) => children(bare(value), "elements").length > 1);
    if ((paid.size > 1 || listed) && !labels.some((one) => /add|sum|plus|\+/i.test(String(literal(one)))))
      continue;
    yield finding(facts, at, [], through);
  }
}

function passesThroughBlock(facts: FileFacts, block: Node): Node | null {
  const body = block.type === "BlockStatement" ? children(block, "body") : [block];
  return passesThrough(
    facts,
    { type: "SwitchCase", consequent: body, start: startOf(block), end: endOf(block) },
    [],
  );
}

/** `op === "mul"`: the key of what is compared with a text. */
function askedFor(facts: FileFacts, test: Node): string | null {
  const inner = bare(test);
  if (inner.type === "LogicalExpression") return askedFor(facts, child(inner, "left")!);
  if (inner.type !== "BinaryExpression" || !/^===?$/.test(String(inner.operator))) return null;
  const [left, right] = [bare(child(inner, "left")!), bare(child(inner, "right")!)];
  const constant = (node: Node): boolean =>
    typeof literal(node) === "string" ||
    (isMember(node) && /^[A-Z]/.test(String(bare(child(node, "object")!).name ?? ""))) ||
    /^[A-Z][A-Z_0-9]*$/.test(identifier(node) ?? "");
  return constant(right) ? valuesOf(facts).key(left) : constant(left) ? valuesOf(facts).key(right) : null;
}

/** `rules[op] ?? ((g) => [g])`. */
function* lookups(facts: FileFacts): Iterable<Finding> {
  for (const node of nodesOf(facts, "LogicalExpression")) {
    if (node.operator === "&&") continue;
    const found = bare(child(node, "left")!);
    const table =
      isMember(found) && propertyName(found) === null
        ? child(found, "object")
        : isCall(found) && calleeName(found) === "get"
          ? receiver(found)
          : null;
    const right = bare(child(node, "right")!);
    const named = facts.binding(right);
    const declared =
      named === null
        ? right
        : isFunction(named.declaration)
          ? named.declaration
          : bare(named.definitions[0]?.expression ?? right);
    if (table === null || !isFunction(declared)) continue;
    const name = (isMember(bare(table)) ? propertyName(bare(table)) : identifier(bare(table))) ?? "";
    if (!/rule|vjp|grad|back|deriv|pull|adjoint|bwd/i.test(name)) continue;
    const fn = facts.functionOf(declared);
    const first = fn?.params[0] === undefined ? null : facts.binding(fn.params[0]);
    if (fn === null || first === null) continue;
    const hands = fn.returns.some((value) => {
      const inner = bare(value);
      const list =
        inner.type === "ArrayExpression" ? children(inner, "elements").filter((e) => e !== null) : [inner];
      return (
        list.length > 0 &&
        list.every(
          (e) =>
            facts.binding(e) !== null &&
            facts.binding(e)?.kind === "param" &&
            facts.scopes.declaredIn(facts.binding(e)!, fn.node),
        )
      );
    });
    if (hands) yield finding(facts, right, [], right);
  }
}
