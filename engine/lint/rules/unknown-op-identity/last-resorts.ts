/** Last resorts that stand beside a lookup or a row of tests: a `catch`, a last `return`, a factor of one. */
import type { FileFacts } from "../../facts.js";
import { partOf } from "../../lookups.js";
import type { Finding } from "../../report.js";
import { bare, child, children, isCall, literal, type Node } from "../../tree.js";
import { nodesOf } from "../shared/nodes.js";
import { askedFor } from "./branches.js";
import { finding, givenIn, handsOn, returnsIn, sweeps, unchanged, works } from "./hands-on.js";
import { holdsRules, lookupOf } from "./tables.js";

/** `if (op === "sin") return g * Math.cos(x); if (op === "exp") return g * y; return g;` */
export function* afterTests(facts: FileFacts): Iterable<Finding> {
  for (const block of nodesOf(facts, "BlockStatement")) {
    const body = children(block, "body").filter((one) => one !== null);
    const last = body.at(-1);
    const value = last?.type === "ReturnStatement" ? child(last, "argument") : null;
    if (value === null || body.length < 3 || !handsOn(facts, value)) continue;
    const tests: Node[] = [];
    let asked: string | null = null;
    for (let at = body.length - 2; at >= 0; at--) {
      const one = body[at];
      const key = one.type === "IfStatement" ? askedFor(facts, child(one, "test")!) : null;
      if (key === null || child(one, "alternate") !== null || (asked !== null && key !== asked)) break;
      if (returnsIn(child(one, "consequent")!).length === 0) break;
      asked = key;
      tests.push(one);
    }
    if (tests.length < 2 || !tests.some((one) => works(facts, one)) || !sweeps(facts, block)) continue;
    // two operands are paid alike by a sum, where no test asks for one
    const several = children(bare(value), "elements").length > 1;
    const sum = tests.some((one) => /add|sum|plus|\+/i.test(facts.source(child(one, "test")!)));
    if (!several || sum) yield finding(value, [], value);
  }
}

/** `try { parts = rules[op](g); } catch { parts = [g]; }`: what has no rule throws, and the cotangent goes on. */
export function* afterThrowing(facts: FileFacts): Iterable<Finding> {
  for (const node of nodesOf(facts, "TryStatement")) {
    const handler = child(node, "handler");
    if (handler === null) continue;
    const given = [...returnsIn(handler), ...givenIn(handler)].find((value) => handsOn(facts, value));
    if (given === undefined) continue;
    const runs = partOf(facts.calls, child(node, "block")!).some((call) => {
      const lookup = lookupOf(facts, child(call, "callee")!);
      return lookup !== null && holdsRules(facts, lookup);
    });
    if (runs) yield finding(given, [], given);
  }
}

/** `bar * (partials[op]?.(x) ?? 1)`: a local derivative of one for what has none. */
export function* factorsOfOne(facts: FileFacts): Iterable<Finding> {
  for (const node of nodesOf(facts, "LogicalExpression")) {
    const one = child(node, "right")!;
    if (node.operator === "&&" || literal(one) !== 1) continue;
    const product = node.parent;
    if (product?.type !== "BinaryExpression" || product.operator !== "*") continue;
    const sides = [child(product, "left")!, child(product, "right")!];
    if (!sides.some((side) => bare(side) !== node && unchanged(facts, side))) continue;
    const found = bare(child(node, "left")!);
    const table = lookupOf(facts, isCall(found) ? child(found, "callee")! : found, isCall(found))?.table;
    const name = table === undefined ? "" : facts.source(table).replace(/^.*\./, "");
    // weights and scales have a right to be one
    if (table !== undefined && /deriv|partial|local|slope|jac|^d[A-Z]?\w{0,3}$/i.test(name) && isCall(found))
      yield finding(one, [], one);
  }
}
