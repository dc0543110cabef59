/** A pullback reads an array of its maker's argument when it is called, and the array is changed between the making and the call. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsOf, functionNamed } from "../../local.js";
import { callsFrom } from "../../lookups.js";
import { paramName } from "../../overwriting/slots.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import { leaves, type Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
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
import { FORM } from "../../value-forms.js";
import { valuesOf } from "../../values.js";
import { writesOf } from "../../writes.js";
import { inside, nodesIn } from "../shared/nodes.js";
import { isNamedPullback } from "./kept-closures.js";
import { exclusive, filledKey, fillingCall } from "./refills.js";

/** What a pullback reads of a parameter of its maker, `.w2` of `enc.w2[i]`. */
interface HandedRead {
  readonly param: number;
  readonly path: string;
  readonly node: Node;
  /** the way is gone when the pullback runs: a field that holds another array by then is read, too */
  readonly late: boolean;
}

export function* beforePull(facts: FileFacts): Iterable<Finding> {
  const told = new Set<Node>();
  for (const [maker, reads] of makers(facts))
    for (const made of callsOf(facts, maker)) {
      const home = facts.home(made);
      if (home === null) continue;
      for (const pull of pullsOf(facts, made, home))
        for (const read of reads) {
          const change = changeBetween(facts, made, pull, read, home);
          if (change === null || told.has(change)) continue;
          told.add(change);
          yield {
            start: startOf(change),
            end: endOf(change),
            message: `\`${facts.source(change).replace(/\s+/g, " ").slice(0, 50)}\` changes what the pullback made at line ${lineOf(facts, made)} has yet to read (line ${lineOf(facts, read.node)}): it is called at line ${lineOf(facts, pull)}, and works with the new values. Call it first, or keep a copy.`,
            evidence: "structural",
            related: [place(read.node, "read in the pullback"), place(pull, "the pullback is called")],
          };
        }
    }
}

/** Functions that return a pullback, with what it reads of their parameters by reference. */
function* makers(facts: FileFacts): Iterable<readonly [Fn, readonly HandedRead[]]> {
  for (const closure of facts.functions) {
    if (closure.inline || closure.kind !== "function" || !isNamedPullback(facts, closure)) continue;
    const maker = facts.outer(closure);
    if (maker === null || maker.name === "" || !isReturned(facts, closure, maker)) continue;
    const reads = handedReads(facts, closure, maker);
    if (reads.length > 0) yield [maker, reads];
  }
}

/** In what is returned, itself or by its name. */
const isReturned = (facts: FileFacts, closure: Fn, maker: Fn): boolean =>
  maker.returns.some(
    (value) =>
      inside(closure.node, value) ||
      (closure.name !== "" &&
        nodesIn(facts, "Identifier", value).some(
          (name) => name.name === closure.name && functionNamed(facts, name) === closure,
        )),
  );

function handedReads(facts: FileFacts, closure: Fn, maker: Fn): readonly HandedRead[] {
  const values = valuesOf(facts);
  const params = maker.params.map((param) => {
    const id = paramName(param);
    return id === null ? null : values.key(id);
  });
  const out = new Map<string, HandedRead>();
  for (const member of nodesIn(facts, "MemberExpression", closure.node)) {
    const name = propertyName(member);
    if (name !== null && (FORM.has(name) || facts.names.gradient(name) === 2)) continue;
    const parent = member.parent;
    if (parent != null && isCall(parent) && child(parent, "callee") === member) continue;
    const key = values.key(name === null ? child(member, "object")! : member);
    const param = params.findIndex((one) => one !== null && (key === one || key.startsWith(`${one}.`)));
    if (param < 0) continue;
    const path = key.slice(params[param]!.length).replace(/\[.*$/, "");
    const late = facts.binding(rootOf(member))?.kind === "param";
    if (!out.has(`${param}${path}`)) out.set(`${param}${path}`, { param, path, node: member, late });
  }
  return [...out.values()];
}

function rootOf(member: Node): Node {
  let root = bare(member);
  while (isMember(root)) root = bare(child(root, "object")!);
  return root;
}

/** Calls of what a making gave: `pull(1)` of `const [y, pull] = make(x)`, `run.pull(1)`, one of a list that was made before. */
function pullsOf(facts: FileFacts, made: Node, home: Fn): readonly Node[] {
  const values = valuesOf(facts);
  const { names, list } = holders(facts, made);
  if (names.size === 0 && list === null) return [];
  return callsFrom(facts, home).filter((call) => {
    const callee = bare(child(call, "callee")!);
    const root = facts.binding(rootOf(callee));
    if (inside(call, made) || inside(made, call)) return false;
    if (root !== null && names.has(root))
      return callee.type === "Identifier" || /^(?:pull|back|vjp|bwd|grad)/i.test(calleeName(call) ?? "");
    return list !== null && values.key(callee).startsWith(`${values.key(list)}[`);
  });
}

/** The names that a call's result is stored under, or the list that it is a part of. */
function holders(
  facts: FileFacts,
  made: Node,
): { readonly names: ReadonlySet<Binding>; readonly list: Node | null } {
  const names = new Set<Binding>();
  let mapped = false;
  for (let from = made, at = made.parent; at != null; from = at, at = at.parent) {
    if (at.type === "VariableDeclarator" && child(at, "init") === from) {
      const id = child(at, "id")!;
      if (mapped) return { names, list: identifier(id) === null ? null : id };
      for (const { target } of leaves(id)) {
        const binding = facts.binding(target);
        if (binding !== null) names.add(binding);
      }
      return { names, list: null };
    }
    if (isCall(at) && calleeName(at) === "push" && argumentsOf(at)[0] === from) {
      const list = receiver(at);
      return { names, list: list !== null && identifier(bare(list)) !== null ? list : null };
    }
    if (isCall(at) && calleeName(at) === "map" && mapped) continue;
    if (isFunction(at) && facts.functionOf(at)?.inline === true) mapped = true;
    else if (at.type !== "BlockStatement" && at.type !== "ReturnStatement") break;
  }
  return { names, list: null };
}

/** A change of the array between the making and the call; in a loop over pullbacks that were made before it, anywhere in the turn. */
function changeBetween(facts: FileFacts, made: Node, pull: Node, read: HandedRead, home: Fn): Node | null {
  const values = valuesOf(facts);
  const argument = argumentsOf(made)[read.param];
  if (argument === undefined || !(isMember(bare(argument)) || identifier(bare(argument)) !== null))
    return null;
  const key = `${values.key(argument)}${read.path}`;
  const turn = loopsAround(facts, pull).find(({ node }) => !inside(made, node))?.node ?? null;
  const between = (node: Node): boolean =>
    facts.home(node) === home &&
    !inside(node, made) &&
    ((turn !== null && inside(node, turn)) || startOf(node) < startOf(pull)) &&
    startOf(node) > endOf(made) &&
    !exclusive(node, pull) &&
    !exclusive(pull, node);
  const write = writesOf(facts).find(
    (one) =>
      between(one.node) &&
      (filledKey(one) === key ||
        (read.late &&
          read.path !== "" &&
          !one.element &&
          /^(?:assign|add|scale)$/.test(one.form) &&
          `${one.objectKey}.${one.name}` === key)),
  );
  const name = read.path.split(".").at(-1) ?? "";
  return write?.node ?? fillingCall(facts, { key, name }, home.node, between);
}
