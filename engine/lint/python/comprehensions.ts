/** Comprehensions are walks over lists: `[f(x) for x in xs if c]` maps, inside of each other they map flat. */
import type { Node } from "../tree.js";
import { block, construct, declare, listOf, make, method, name, scopeOf, type Lowering } from "./lowering.js";
import { bindTargets, patternOf, walkedBy } from "./iteration.js";
import { named, part, type Syntax } from "./syntax.js";

export function comprehension(low: Lowering, node: Syntax): Node {
  const clauses = named(node).filter(({ type }) => type === "for_in_clause" || type === "if_clause");
  const body = part(node, "body");
  const list = clause(low, node, body, clauses, 0);
  if (node.type === "set_comprehension") return construct("Set", [list], node);
  if (node.type === "dictionary_comprehension") return construct("Map", [list], node);
  return list;
}

function clause(
  low: Lowering,
  whole: Syntax,
  body: Syntax | null,
  clauses: readonly Syntax[],
  at: number,
): Node {
  const head = clauses[at];
  const left = head === undefined ? null : part(head, "left");
  const right = head === undefined ? null : part(head, "right");
  if (left === null || right === null) return listOf([], whole);
  const scope = scopeOf("function", low.scope);
  bindTargets(low, left, scope);
  const { target, list, more } = walkedBy(low, left, right);
  let next = at + 1;
  const tests: Syntax[] = [];
  while (clauses[next]?.type === "if_clause") tests.push(clauses[next++]);
  const callback = low.within(scope, () => {
    const deeper = next < clauses.length;
    const value = deeper ? clause(low, whole, body, clauses, next) : element(low, whole, body);
    const kept = tests.reduceRight<Node>(
      (inner, test) => {
        const [condition] = named(test);
        return condition === undefined
          ? inner
          : make("IfStatement", test, {
              test: low.expression(condition),
              consequent: inner,
              alternate: null,
            });
      },
      make("ReturnStatement", { start: value.start!, end: value.end! }, { argument: value }),
    );
    const params = target === null ? [] : [patternOf(low, target)];
    const hoisted = scope.hoisted.map((id) => declare("var", name(id, whole), null, whole));
    return make("ArrowFunctionExpression", whole, {
      params,
      body: block([...hoisted, ...more, kept], whole),
      async: false,
      generator: false,
    });
  });
  return method(list, next < clauses.length ? "flatMap" : "map", [callback], whole);
}

function element(low: Lowering, whole: Syntax, body: Syntax | null): Node {
  if (body === null) return name("undefined", whole);
  if (body.type !== "pair") return low.expression(body);
  const key = part(body, "key");
  const value = part(body, "value");
  return listOf(
    [key, value].filter((one) => one !== null).map((one) => low.expression(one)),
    body,
  );
}
