/** Operands in a Set, in a Map by operand, in a record by name, or looked up in a list: a repeated one is there once. */
import type { FileFacts } from "../../facts.js";
import { isPythonText } from "../../language.js";
import { place } from "../../overwriting/words.js";
import type { Finding, Suggestion } from "../../report.js";
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
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { contributionsOf } from "../shared/contributions.js";
import { byKey, escape, givenBy, holderOf, through, type Holder } from "./holders.js";
import { inside, nodesOf } from "../shared/nodes.js";
import { filledOneByOne, keepsFirsts, lookedUp, skipped, storedAs } from "./repeats.js";

type Found = { node: Node; finding: Finding };

export function* collections(facts: FileFacts): Iterable<Found> {
  yield* keptIn(facts, "Set");
  yield* keptIn(facts, "Map");
  yield* lookedUp(facts);
  yield* skipped(facts);
}

/** A field or a name that holds a Set or Map of operands, through which contributions are paid. */
function* keptIn(facts: FileFacts, kind: "Set" | "Map"): Iterable<Found> {
  const sets = [
    ...facts.news.filter(
      (node) => calleeName(node) === kind && argumentsOf(node).length === 1 && mayRepeat(facts, node, kind),
    ),
    ...(kind === "Set" ? facts.calls.filter((call) => keepsFirsts(facts, call)) : []),
    ...filledOneByOne(facts, kind),
  ];
  for (const node of sets) {
    const holder = holderOf(facts, storedAs(facts, node) ?? node);
    const paid = contributionsOf(facts).find(
      ({ write, operand, weighed }) =>
        weighed!.carried &&
        // an accumulating map of the sweep itself is no list of operands
        !inside(node, write.node) &&
        (holder === null
          ? iteratedAt(node, write.node)
          : (through(facts, operand, holder, kind) ||
              byKey(facts, write.object, holder, kind) ||
              givenBy(facts, write.object, holder, kind)) &&
            !overwritten(facts, node, holder)),
    );
    if (paid === undefined || (holder !== null && repeats(facts, holder))) continue;
    const [only, ...more] = holder === null || kind === "Map" ? [] : destructured(facts, holder);
    const at = only !== undefined && more.length === 0 ? only : node;
    const python = isPythonText(facts);
    const what =
      kind === "Set"
        ? `a ${python ? "set" : "Set"} of operands`
        : `a ${python ? "dict" : "Map"} from operand to local derivative`;
    yield {
      node: at,
      finding: {
        start: startOf(at),
        end: endOf(at),
        message: `${what} holds a repeated operand once: of \`x * x\` ${kind === "Set" ? (python ? "one use is paid" : "one use is paid, and what is destructured from it is undefined") : "the second derivative replaces the first"}. Keep operands in a list.`,
        evidence: "structural",
        related: [
          ...(at === node ? [] : [place(node, "kept here")]),
          place(paid.write.node, "operands are paid through it here"),
        ],
        suggestions: kind === "Set" ? asList(facts, node, holder) : [],
      },
    };
  }
}

/** A Set that is filled from operands: of a parameter, a list of at least two, not an empty or a seeded one. */
function mayRepeat(facts: FileFacts, node: Node, kind: "Set" | "Map"): boolean {
  const [argument] = argumentsOf(node);
  const inner = bare(argument);
  if (kind === "Set") {
    if (inner.type === "ArrayExpression") return children(inner, "elements").length > 1 || spreads(inner);
    // `new Set([a, b].filter(Boolean))`
    const list =
      isCall(inner) && /^(?:filter|map|concat|flat)$/.test(calleeName(inner) ?? "") ? receiver(inner) : null;
    if (list !== null && bare(list).type === "ArrayExpression")
      return children(bare(list), "elements").length > 1;
    return inner.type === "Identifier" || isMember(inner);
  }
  if (inner.type === "ArrayExpression") {
    const entries = children(inner, "elements");
    return entries.length > 1 || spreads(inner);
  }
  if (inner.type === "Identifier") return facts.binding(inner)?.kind === "param";
  // `new Map(operands.map((operand, i) => [operand, locals[i]]))`
  return isCall(inner) && calleeName(inner) === "map";
}

const spreads = (list: Node): boolean => children(list, "elements").some((e) => e?.type === "SpreadElement");

/** `const [a, b] = [...node.prev]`: where single operands are taken out of the Set. */
function destructured(facts: FileFacts, { field, local }: Holder): Node[] {
  return facts.declarators.filter((node) => {
    const id = child(node, "id")!;
    const init = child(node, "init");
    if (id.type !== "ArrayPattern" || init === null || children(id, "elements").length < 2) return false;
    const binding = (at: Node): Node => {
      const inner = bare(at);
      if (inner.type === "ArrayExpression" && children(inner, "elements").length === 1)
        return binding(child(children(inner, "elements")[0]!, "argument") ?? inner);
      return inner;
    };
    const from = binding(init);
    return isMember(from)
      ? field !== "" && propertyName(from) === field
      : fromField(facts, from, field, local);
  });
}

/** `const [a, b = a] = node.prev`: what is there once stands for both. */
const repeats = (facts: FileFacts, holder: Holder): boolean =>
  destructured(facts, holder).some((node) => {
    const [first, second] = children(child(node, "id")!, "elements");
    const fallback = second?.type === "AssignmentPattern" ? identifier(child(second, "right")) : null;
    return fallback !== null && first != null && fallback === identifier(first);
  });

function fromField(facts: FileFacts, from: Node, field: string, local: string): boolean {
  const key = valuesOf(facts).key(from);
  return field !== "" ? key.endsWith(`.${field}`) : local !== "" && identifier(from) === local;
}

/** Another store under the same name that is a list: which of the two is paid is not known. */
function overwritten(facts: FileFacts, node: Node, { field }: Holder): boolean {
  if (field === "") return false;
  return facts.assignments.some((other) => {
    const left = bare(child(other, "left")!);
    if (!isMember(left) || propertyName(left) !== field || inside(node, other)) return false;
    return bare(child(other, "right")!).type === "ArrayExpression";
  });
}

/** The Set is made where it is walked: `for (const p of new Set(inputs)) p.grad += ...`. */
function iteratedAt(set: Node, write: Node): boolean {
  let at: Node | null | undefined = set;
  for (let steps = 0; at != null && steps < 6; steps++, at = at.parent) {
    if (at.type === "ForOfStatement") return inside(write, child(at, "body")!);
    if (
      isCall(at) &&
      /^(?:forEach|map)$/.test(calleeName(at) ?? "") &&
      receiver(at) !== null &&
      inside(set, receiver(at)!)
    )
      return inside(write, at);
    if (isFunction(at)) return false;
  }
  return false;
}

/** A list in its place, where nothing asks the Set for more than its elements. */
function asList(facts: FileFacts, node: Node, holder: Holder | null): readonly Suggestion[] {
  const [argument] = argumentsOf(node);
  if (isPythonText(facts)) return asPythonList(facts, node);
  const text = facts.source(argument);
  const list = bare(argument).type === "ArrayExpression" ? text : `[...${text}]`;
  const edits = [{ start: startOf(node), end: endOf(node), text: list }];
  const name = holder === null ? "" : holder.field || holder.local;
  if (name !== "") {
    const asked = nodesOf(facts, "MemberExpression").some((member) => {
      const object = bare(child(member, "object")!);
      const of = isMember(object) ? propertyName(object) : identifier(object);
      return of === name && /^(?:has|add|delete|size|clear)$/.test(propertyName(member) ?? "");
    });
    if (asked) return [];
    // TypeScript: the declared type goes with it
    const typed = new RegExp(`\\b${escape(name)}\\s*:\\s*(?:Readonly)?Set<([\\w.]+)>`, "g");
    for (const match of facts.text.matchAll(typed)) {
      const from = match.index + match[0].search(/(?:Readonly)?Set</);
      edits.push({ start: from, end: match.index + match[0].length, text: `${match[1]}[]` });
    }
  }
  return [
    { title: "Keep operands in a list", kind: "rewrite", edits: edits.sort((a, b) => a.start - b.start) },
  ];
}

/** `set(operands)` as a list of them, `{a, b}` as `[a, b]`. */
function asPythonList(facts: FileFacts, node: Node): readonly Suggestion[] {
  const text = facts.source(node);
  const list = /^(?:frozen)?set\(/.test(text)
    ? text.replace(/^(?:frozen)?set/, "list")
    : /^\{[^]*\}$/.test(text)
      ? `[${text.slice(1, -1)}]`
      : null;
  if (list === null) return [];
  const edits = [{ start: startOf(node), end: endOf(node), text: list }];
  return [{ title: "Keep operands in a list", kind: "rewrite", edits }];
}
