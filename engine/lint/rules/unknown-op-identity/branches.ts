/** The last branch of a dispatch over operations: `default:` of a switch, the last `else` of a chain of ifs. */
import type { FileFacts } from "../../facts.js";
import type { Finding, Suggestion } from "../../report.js";
import {
  bare,
  child,
  children,
  endOf,
  identifier,
  isFunction,
  isMember,
  literal,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { nodesOf, partsOf } from "../shared/nodes.js";
import { contributionsIn, finding, handsOn, passesThrough, returnsIn, sweeps, works } from "./hands-on.js";
import { handsItsOwnOn } from "./lookups.js";
import { isNarrowed } from "./narrowed.js";
import { isRule } from "./tables.js";

export function* switches(facts: FileFacts): Iterable<Finding> {
  for (const node of nodesOf(facts, "SwitchStatement")) {
    const cases = children(node, "cases").filter((one) => one !== null);
    const last = cases.find((one) => child(one, "test") === null);
    if (last === undefined || cases.length < 2) continue;
    const rule = givenRule(facts, last, cases);
    if (rule !== null) {
      yield finding(rule, [], rule);
      continue;
    }
    const named = cases.filter((one) => one !== last && works(facts, one));
    if (named.length === 0 || !sweeps(facts, node)) continue;
    if (isNarrowed(facts, last, valuesOf(facts).key(child(node, "discriminant")!))) continue;
    const at = cases.indexOf(last);
    // `case "copy": default:` has a name for it too, and still takes all others
    const through = passesThrough(facts, last, cases);
    if (through === null || isOwnRule(facts, last, cases, named)) continue;
    yield finding(
      last,
      bodyEdits(facts, last, child(node, "discriminant")!, at === cases.length - 1),
      through,
    );
  }
}

/** `case "exp": return (g, x) => [g * Math.exp(x)]; default: return (g) => [g];`: the identity that is given out as a rule. */
function givenRule(facts: FileFacts, last: Node, cases: readonly Node[]): Node | null {
  const given = (one: Node): Node | null => {
    const [value, ...more] = returnsIn(one).filter(
      (at) => facts.enclosing(at.parent ?? at) === facts.enclosing(one),
    );
    return value === undefined || more.length > 0 || !isFunction(bare(value)) ? null : value;
  };
  const value = given(last);
  const fn = value === null ? null : facts.functionOf(bare(value));
  if (value === null || fn === null || fn.params.length === 0 || !handsItsOwnOn(facts, fn)) return null;
  const rules = cases.filter((one) => one !== last).map(given);
  return rules.some((one) => one !== null && isRule(facts, one)) ? value : null;
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
export function* chains(facts: FileFacts): Iterable<Finding> {
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
    const through = passesThroughBlock(facts, at, branches);
    if (through === null || isNarrowed(facts, at, asked)) continue;
    const paid = new Set(contributionsIn(facts, at).map(({ operand }) => operand));
    const listed = returnsIn(at).some((value) => children(bare(value), "elements").length > 1);
    if ((paid.size > 1 || listed) && !labels.some((one) => /add|sum|plus|\+/i.test(String(literal(one)))))
      continue;
    yield finding(at, [], through);
  }
}

/** `op === "mul" ? [g * b, g * a] : op === "exp" ? [g * y] : [g]`. */
export function* nested(facts: FileFacts): Iterable<Finding> {
  for (const node of nodesOf(facts, "ConditionalExpression")) {
    if (node.parent?.type === "ConditionalExpression" && child(node.parent, "alternate") === node) continue;
    const given: Node[] = [];
    let asked: string | null = null;
    let at: Node = node;
    while (at.type === "ConditionalExpression") {
      const key = askedFor(facts, child(at, "test")!);
      if (key === null || (asked !== null && asked !== key)) break;
      asked = key;
      given.push(child(at, "consequent")!);
      at = bare(child(at, "alternate")!);
    }
    if (given.length < 2 || at.type === "ConditionalExpression" || !handsOn(facts, at)) continue;
    const rules = given.filter((one) => !handsOn(facts, one) && multiplies(one));
    if (rules.length === 0 || !sweeps(facts, node)) continue;
    const labels = partsOf(node).filter((part) => typeof literal(part) === "string");
    const several = children(at, "elements").length > 1;
    if (several && !labels.some((one) => /add|sum|plus|\+/i.test(String(literal(one))))) continue;
    yield finding(at, [], at);
  }
}

const multiplies = (value: Node): boolean =>
  partsOf(value).some((part) => part.type === "BinaryExpression" && /^[*/]$/.test(String(part.operator)));

function passesThroughBlock(facts: FileFacts, block: Node, others: readonly Node[]): Node | null {
  const body = block.type === "BlockStatement" ? children(block, "body") : [block];
  return passesThrough(
    facts,
    { type: "SwitchCase", consequent: body, start: startOf(block), end: endOf(block) },
    others,
  );
}

/** `op === "mul"`: the key of what is compared with a text. */
export function askedFor(facts: FileFacts, test: Node): string | null {
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
