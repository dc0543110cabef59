/** A buffer that an operation gives back to its pool while the closure it leaves behind, or the layer's backward method, still reads it. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { localFunction } from "../../local.js";
import { callsFrom } from "../../lookups.js";
import { operationOf } from "../../operations.js";
import { isBackward } from "../../overwriting/entries.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  identifier,
  isCall,
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { inside, nodesIn } from "../shared/nodes.js";
import { classOf, isMethod } from "./layer-keeps.js";
import { sweepClosures } from "./pullbacks.js";

const GIVES_BACK =
  /^_*(?:give_?back|release|free|put_?back|recycle|reclaim|return(?:_?(?:buffer|to_?pool|it))?|restore|dispose|put|push|back)$/i;

export function* pools(facts: FileFacts): Iterable<Finding> {
  const returns = facts.calls.filter(
    (call) => call.parent?.type === "ExpressionStatement" && GIVES_BACK.test(calleeName(call) ?? ""),
  );
  if (returns.length === 0) return;
  for (const call of returns) {
    const home = facts.home(call);
    const [buffer] = argumentsOf(call);
    if (home === null || buffer === undefined || isBackward(facts, home) || !givesBack(facts, call)) continue;
    if (takenFrom(facts, call, buffer, home) === null || isHeld(facts, buffer, home)) continue;
    const read = readLater(facts, buffer, home);
    if (read === null) continue;
    yield {
      start: startOf(call),
      end: endOf(call),
      message: `\`${facts.source(buffer)}\` goes back to the pool here, and the backward pass has yet to read it (line ${lineOf(facts, read)}): the next one that takes it fills it anew. Give it back after the backward pass.`,
      evidence: "structural",
      related: [place(read, "read in the backward pass")],
    };
  }
}

/** The function that is called keeps what it is handed in a list; where it is not seen, its name has to say so. */
function givesBack(facts: FileFacts, call: Node): boolean {
  const fn = localFunction(facts, call);
  const name = calleeName(call) ?? "";
  if (fn === null || name === "push") {
    const list = receiver(call);
    if (name !== "push" || list === null) return fn === null && !/^(?:put|back)$/.test(name);
    // `pool.push(buf)` of a list that buffers are popped off
    const inner = bare(list);
    return /pool|free|spare|idle|cache|scratch|avail/i.test(
      (isMember(inner) ? propertyName(inner) : identifier(inner)) ?? "",
    );
  }
  const params = fn.params.map((param) => facts.binding(bare(param)));
  return callsFrom(facts, fn).some(
    (inner) =>
      /^(?:push|unshift|add|set)$/.test(calleeName(inner) ?? "") &&
      argumentsOf(inner).some((one) => {
        const binding = facts.binding(one);
        return binding !== null && params.includes(binding);
      }),
  );
}

/** `const diff = pool.rent(n)` in the same function, of the pool that it goes back to. */
function takenFrom(facts: FileFacts, call: Node, buffer: Node, home: Fn): Node | null {
  const values = valuesOf(facts);
  const pool = receiver(call);
  const isTaking = (value: Node): boolean => {
    let inner = bare(value);
    // `pool.pop() ?? new Float64Array(n)`
    while (inner.type === "LogicalExpression") inner = bare(child(inner, "left")!);
    if (!isCall(inner)) return false;
    const from = receiver(inner);
    if (pool === null)
      return (
        from === null && /take|rent|alloc|acquire|borrow|get|lease|obtain/i.test(calleeName(inner) ?? "")
      );
    return from !== null && values.key(from) === values.key(pool);
  };
  const binding = facts.binding(buffer);
  const [made, ...more] = binding?.definitions.filter(({ kind }) => kind !== "element") ?? [];
  if (made !== undefined && more.length === 0 && inside(made.at, home.node) && isTaking(made.expression))
    return made.at;
  const inner = bare(buffer);
  if (!isMember(inner)) return null;
  return (
    facts.assignments.find(
      (node) =>
        facts.home(node) === home &&
        values.key(child(node, "left")!) === values.key(inner) &&
        isTaking(child(node, "right")!),
    ) ?? null
  );
}

/** `pool.retain(buf)`: counted, and not free yet. */
const isHeld = (facts: FileFacts, buffer: Node, home: Fn): boolean =>
  callsFrom(facts, home).some(
    (call) =>
      /retain|hold|pin|keep|lock|ref/i.test(calleeName(call) ?? "") &&
      [receiver(call), ...argumentsOf(call)].some(
        (one) => one !== null && valuesOf(facts).key(one) === valuesOf(facts).key(buffer),
      ),
  );

/** A closure of the reverse sweep that the function leaves behind reads the local, or a backward method the field. */
function readLater(facts: FileFacts, buffer: Node, home: Fn): Node | null {
  const binding = facts.binding(buffer);
  if (binding !== null) {
    for (const closure of sweepClosures(facts)) {
      if (operationOf(facts, closure)!.fn !== home) continue;
      const read = nodesIn(facts, "Identifier", closure.node).find(
        (name) => facts.scopes.resolve(name) === binding,
      );
      if (read !== undefined) return read;
    }
  }
  const field = isMember(bare(buffer)) ? propertyName(bare(buffer)) : keptIn(facts, buffer, home);
  if (field === null || !isMethod(home)) return null;
  for (const fn of facts.functions) {
    if (!isBackward(facts, fn) || !isMethod(fn) || classOf(fn) !== classOf(home)) continue;
    const read = nodesIn(facts, "MemberExpression", fn.node).find(
      (member) => propertyName(member) === field && bare(child(member, "object")!).type === "ThisExpression",
    );
    if (read !== undefined) return read;
  }
  return null;
}

/** `this.mask = mask;` */
function keptIn(facts: FileFacts, buffer: Node, home: Fn): string | null {
  const binding = facts.binding(buffer);
  const store = facts.assignments.find((node) => {
    const left = bare(child(node, "left")!);
    return (
      facts.home(node) === home &&
      isMember(left) &&
      bare(child(left, "object")!).type === "ThisExpression" &&
      facts.binding(child(node, "right")!) === binding
    );
  });
  return binding === null || store === undefined ? null : propertyName(bare(child(store, "left")!));
}
