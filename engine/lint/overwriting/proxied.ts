/** Proxies whose `set` trap adds: a plain assignment to an entry accumulates. */
import type { FileFacts } from "../facts.js";
import { localFunction } from "../local.js";
import { partOf } from "../lookups.js";
import type { Binding } from "../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  children,
  identifier,
  isCall,
  isMember,
  keyName,
  type Node,
} from "../tree.js";
import { valuesOf } from "../values.js";
import type { Write } from "../writes.js";
import { rootOf } from "./exclusions.js";

/** The write goes through such a trap. */
export function addsByProxy(facts: FileFacts, write: Write): boolean {
  const proxies = addingProxies(facts);
  if (proxies.size === 0) return false;
  const root = rootOf(write.target);
  const binding = root === null ? null : facts.binding(root);
  return binding !== null && isProxy(facts, binding, proxies);
}

/** The name is given a proxy, or what a function of the file gives that makes one. */
function isProxy(facts: FileFacts, binding: Binding, proxies: ReadonlySet<Node>): boolean {
  const made = binding.definitions.find(({ kind, path }) => kind === "initial" && path.length === 0);
  const value = made === undefined ? null : bare(made.expression);
  if (value === null || proxies.has(value)) return value !== null;
  const maker = isCall(value) ? localFunction(facts, value) : null;
  return maker !== null && maker.returns.some((one) => proxies.has(bare(one)));
}

/** `new Proxy(target, { set(t, k, c) { t[k] = (t[k] ?? 0) + c; return true; } })`. */
const addingProxies = (facts: FileFacts): ReadonlySet<Node> =>
  facts.once("adding proxies", (file) => {
    const out = new Set<Node>();
    for (const made of file.news) {
      if (calleeName(made) !== "Proxy") continue;
      const handler = argumentsOf(made)[1];
      const set = children(bare(handler ?? made), "properties").find(
        (one) => one?.type === "Property" && keyName(child(one, "key")!, one.computed === true) === "set",
      );
      const trap = set == null ? null : file.functionOf(bare(child(set, "value")!));
      if (trap !== null && trap.params.length > 2 && adds(file, trap.node, trap.params)) out.add(made);
    }
    return out;
  });

/** Somewhere in the trap the old entry and the new value are added. */
function adds(facts: FileFacts, trap: Node, params: readonly Node[]): boolean {
  const values = valuesOf(facts);
  const entry = `${values.key(params[0])}[${values.key(params[1])}]`;
  const isNew = (node: Node): boolean =>
    identifier(bare(node)) !== null && facts.binding(node) === facts.binding(params[2]);
  const isOld = (node: Node): boolean => {
    const inner = bare(node);
    if (inner.type === "LogicalExpression") return isOld(child(inner, "left")!);
    const got = isCall(inner) && calleeName(inner) === "get";
    return (isMember(inner) && values.key(inner) === entry) || got;
  };
  const both = (a: Node, b: Node): boolean => (isOld(a) && isNew(b)) || (isOld(b) && isNew(a));
  return (
    partOf(facts.byType.get("BinaryExpression") ?? [], trap).some(
      (sum) => sum.operator === "+" && both(child(sum, "left")!, child(sum, "right")!),
    ) ||
    partOf(facts.assignments, trap).some(
      ({ operator, left, right }) => operator === "+=" && both(left as Node, right as Node),
    )
  );
}
