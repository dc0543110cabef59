/** Tapes that are chains: each entry keeps the one that was made before it, and a walk along them goes from the newest to the oldest. */
import type { FileFacts } from "./facts.js";
import { assignmentsOf, groupBy, partOf } from "./lookups.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  identifier,
  isMember,
  keyName,
  propertyName,
  type Node,
} from "./tree.js";
import { valuesOf } from "./values.js";

const BEFORE = /^[_#]*(?:prev(?:ious)?|before|older|earlier)$/i;

/** `for (let e = last; e; e = e.prev)`, `while (e !== null) { ...; e = e.prev; }`. */
export function walksChainBack(facts: FileFacts, loop: Node): boolean {
  const asked = child(loop, "test");
  if (asked === null) return false;
  const told = facts.source(asked);
  return partOf(facts.assignments, loop).some((step) => {
    const name = step.operator === "=" ? identifier(child(step, "left")) : null;
    const from = name === null ? null : bare(child(step, "right")!);
    if (from === null || !isMember(from) || identifier(child(from, "object")) !== name) return false;
    const field = propertyName(from);
    if (field === null || !told.includes(name!)) return false;
    return BEFORE.test(field) || keepsNewest(facts, field);
  });
}

/** A new entry keeps the newest one in the field before it takes its place: `newest = { ..., next: newest }`. */
function keepsNewest(facts: FileFacts, field: string): boolean {
  const known = facts.once("fields of chains", () => new Map<string, boolean>());
  let found = known.get(field);
  if (found === undefined) {
    found = inRecords(facts, field) || inConstructors(facts, field);
    known.set(field, found);
  }
  return found;
}

const inRecords = (facts: FileFacts, field: string): boolean =>
  (
    facts
      .once("names kept in records", (file) =>
        groupBy(file.byType.get("Property") ?? [], (one) =>
          one.parent?.type === "ObjectExpression" && /^(?:Identifier|Member)/.test(child(one, "value")!.type)
            ? keyName(child(one, "key")!, one.computed === true)
            : null,
        ),
      )
      .get(field) ?? []
  ).some((one) => takesPlaceOf(facts, one.parent!, child(one, "value")!));

/** `constructor(..., prev) { this.prev = prev; }` of what is made by `head = new Entry(..., head)`. */
const inConstructors = (facts: FileFacts, field: string): boolean =>
  facts.functions.some((fn) => {
    if (fn.kind !== "constructor" || fn.owner === null) return false;
    const at = fn.params.findIndex((param) => keptIn(facts, param, fn.node) === field);
    const owner = identifier(child(fn.owner, "id"));
    return (
      at !== -1 &&
      facts.news.some((made) => {
        const argument = calleeName(made) === owner ? argumentsOf(made)[at] : undefined;
        return argument !== undefined && takesPlaceOf(facts, made, argument);
      })
    );
  });

/** The field that a constructor keeps a parameter in. */
function keptIn(facts: FileFacts, param: Node, maker: Node): string | null {
  if (param.type === "TSParameterProperty") return identifier(child(param, "parameter"));
  const binding = facts.binding(param);
  for (const store of binding === null ? [] : partOf(facts.assignments, maker)) {
    const target = bare(child(store, "left")!);
    if (isMember(target) && facts.binding(child(store, "right")!) === binding) return propertyName(target);
  }
  return null;
}

/** What is made is stored in the place that it keeps the old content of, at once or through a name. */
function takesPlaceOf(facts: FileFacts, made: Node, old: Node): boolean {
  const place = bare(old);
  if (place.type !== "Identifier" && !isMember(place)) return false;
  const key = valuesOf(facts).key(place);
  let at = made.parent ?? null;
  while (at !== null && bare(at) !== at) at = at.parent ?? null;
  if (at?.type === "AssignmentExpression") return valuesOf(facts).key(child(at, "left")!) === key;
  const binding = at?.type === "VariableDeclarator" ? facts.binding(child(at, "id")!) : null;
  return (
    binding !== null &&
    assignmentsOf(facts, binding).some((store) => valuesOf(facts).key(child(store, "left")!) === key)
  );
}
