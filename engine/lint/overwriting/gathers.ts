/** Places that a forward pass reads by an index, spelled so that the same place in another function has the same text. */
import type { FileFacts } from "../facts.js";
import { callsNamed } from "../lookups.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  identifier,
  isCall,
  isMember,
  propertyName,
  receiver,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import type { Write } from "../writes.js";
import { isCotangentName } from "./cotangents.js";

/** Indices of an element, outermost first; the key of a map. */
export function indicesOf(write: Write): readonly Node[] {
  if (write.form === "map-set") return write.index === null ? [] : [write.index];
  // `table.set(row, from)`: a stretch from a place on
  if (write.form === "buffer-set" && isCall(write.node))
    return calleeName(write.node) === "set" ? argumentsOf(write.node).slice(1) : [];
  const out: Node[] = [];
  for (let at = bare(write.target); isMember(at); at = bare(child(at, "object")!))
    if (propertyName(at) === null) out.unshift(child(at, "property")!);
  return out;
}

/** The text of indices without the numbers of names: the same in two functions that name things alike. */
export const normal = (facts: FileFacts, dims: readonly Node[]): string =>
  dims
    .map((dim) =>
      valuesOf(facts)
        .key(dim)
        .replace(/~\d+/g, "")
        .replace(/\bthis\./g, "")
        // one element a turn, whatever counts the turns
        .replace(/\[[A-Za-z_$][\w$]*\]/g, "[*]"),
    )
    .join("][");

/** Indices under which the file reads elements of something that is no gradient. */
export const gathers = (facts: FileFacts): ReadonlySet<string> =>
  facts.once("gathers", (file) => {
    const out = new Set<string>();
    for (const member of file.byType.get("MemberExpression") ?? []) {
      if (propertyName(member) !== null || isPartOfPlace(member)) continue;
      const dims: Node[] = [];
      let at = member;
      for (; isMember(at) && propertyName(at) === null; at = bare(child(at, "object")!))
        dims.unshift(child(at, "property")!);
      const name = isMember(at) ? propertyName(at) : String(at.name ?? "");
      if (name === null || isCotangentName(file, name, null)) continue;
      out.add(normal(file, dims));
    }
    // `table.subarray(id * n, id * n + n)`: rows
    for (const name of ["subarray", "slice"])
      for (const call of callsNamed(file, name)) {
        const [from, to] = argumentsOf(call);
        const of = to === undefined ? null : bare(receiver(call)!);
        const table = of === null ? null : isMember(of) ? propertyName(of) : identifier(of);
        if (table !== null && !isCotangentName(file, table, null)) out.add(normal(file, [from]));
      }
    return out;
  });

/** `a[i]` of `a[i][j]`, and what is stored into. */
function isPartOfPlace(member: Node): boolean {
  const parent = member.parent;
  if (parent == null) return false;
  if (isMember(parent) && child(parent, "object") === member) return propertyName(parent) === null;
  return parent.type === "AssignmentExpression" && child(parent, "left") === member;
}

/** `idx[*]` of `idx[k]` where `const [n, idx] = ctx.saved`: what the forward pass keeps goes by one name in both. */
export function spelled(facts: FileFacts, dim: Node): string {
  const inner = bare(dim);
  const list = isMember(inner) && propertyName(inner) === null ? bare(child(inner, "object")!) : null;
  const binding = list === null ? null : facts.binding(list);
  const [made] = binding?.definitions ?? [];
  return made !== undefined && made.path.length > 0 && binding !== null ? `${binding.name}[*]` : "";
}
