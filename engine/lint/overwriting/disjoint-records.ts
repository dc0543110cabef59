/** Records whose keys are all written down, and of which no two are the same: `{ ...encoder(bar), ...decoder(bar) }` loses nothing. */
import type { FileFacts } from "../facts.js";
import { localFunction } from "../local.js";
import { loopsAround } from "../reverse.js";
import { bare, calleeName, child, children, identifier, isCall, keyName, type Node } from "../tree.js";
import { writesOf, type Write } from "../writes.js";

/** Nothing that the write puts in stands under a key that something else goes under. */
export function mergesDisjoint(facts: FileFacts, write: Write): boolean {
  const own = keysOf(facts, write.value);
  if (own === null || loopsAround(facts, write.node).length > 0) return false;
  const others = besides(facts, write).map((other) => keysOf(facts, other));
  return others.every((keys) => keys !== null && [...keys].every((key) => !own.has(key)));
}

/** What else goes into the record. */
function besides(facts: FileFacts, write: Write): readonly Node[] {
  const record = write.node.parent;
  if (!isCall(write.node))
    return children(record!, "properties").flatMap((one) =>
      one == null || one === write.node
        ? []
        : one.type === "SpreadElement"
          ? [child(one, "argument")!]
          : [one],
    );
  const binding = facts.binding(write.target);
  return [
    ...(binding?.definitions.filter(({ kind }) => kind === "initial").map(({ expression }) => expression) ?? [
      write.target,
    ]),
    ...writesOf(facts).flatMap((other) =>
      other !== write && other.container === write.container
        ? [other.form === "merge" ? other.value : other.node]
        : [],
    ),
  ];
}

/** Names between a record and what it is made by. */
const FOLLOWED = 5;

/** All keys of a record; null where one of them is not known. */
function keysOf(facts: FileFacts, node: Node, depth = 0): ReadonlySet<string> | null {
  const inner = bare(node);
  if (depth > FOLLOWED) return null;
  if (inner.type === "Property") {
    const name = keyName(child(inner, "key")!, inner.computed === true);
    return name === null ? null : new Set([name]);
  }
  if (inner.type === "ObjectExpression")
    return union(
      children(inner, "properties").map((one) =>
        one == null
          ? null
          : keysOf(facts, one.type === "SpreadElement" ? child(one, "argument")! : one, depth + 1),
      ),
    );
  if (isCall(inner)) {
    const fn = localFunction(facts, inner);
    if (fn !== null && fn.returns.length > 0)
      return union(fn.returns.map((value) => keysOf(facts, value, depth + 1)));
    return declaredKeys(facts, calleeName(inner));
  }
  const [made, ...more] = facts.binding(inner)?.definitions ?? [];
  const whole = made !== undefined && more.length === 0 && /^(?:\.\.\.)?$/.test(made.path.join(""));
  return whole ? keysOf(facts, made.expression, depth + 1) : null;
}

function union(all: readonly (ReadonlySet<string> | null)[]): ReadonlySet<string> | null {
  const out = new Set<string>();
  for (const keys of all) {
    if (keys === null) return null;
    for (const key of keys) out.add(key);
  }
  return out;
}

/** `declare function encoder(bar: number): { w: number; b: number };` */
function declaredKeys(facts: FileFacts, name: string | null): ReadonlySet<string> | null {
  // what is there for types only stands in no list of the facts
  const declared = children(facts.root, "body").find(
    (one) => one?.type === "TSDeclareFunction" && identifier(child(one, "id")) === name,
  );
  const type = declared == null ? null : child(declared, "returnType");
  const literal = type === null ? null : child(type, "typeAnnotation");
  if (literal?.type !== "TSTypeLiteral") return null;
  return union(
    children(literal, "members").map((one) => {
      const key =
        one?.type === "TSPropertySignature" ? keyName(child(one, "key")!, one.computed === true) : null;
      return key === null ? null : new Set([key]);
    }),
  );
}
