/** One place for many uses: a variable around a loop of closures, a buffer of the module, a field of a shared rule. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { assignmentsTo, callsNamed, partOf, updatesOf } from "../../lookups.js";
import { isBackward } from "../../overwriting/entries.js";
import { lineOf, place } from "../../overwriting/words.js";
import type { Finding, Suggestion } from "../../report.js";
import { loopsAround } from "../../reverse.js";
import { operationOf } from "../../operations.js";
import type { Binding } from "../../scopes.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  endOf,
  identifier,
  isCall,
  isMember,
  literal,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { valuesOf } from "../../values.js";
import { writesOf } from "../../writes.js";
import { backwardClosures, contributionsOf } from "../shared/contributions.js";
import { inside, nodesIn, nodesOf, partsOf } from "../shared/nodes.js";
import { sharedBuffers } from "./shared-buffers.js";

export function* oneSlot(facts: FileFacts): Iterable<Finding> {
  yield* capturedInLoops(facts);
  yield* sharedBuffers(facts);
  yield* sharedRules(facts);
  yield* moduleVariables(facts);
}

/** `let cache`, `kept.x` or `kept.set("x", x)` of the module, stored by a forward method and read by the backward one: one for all layers. */
function* moduleVariables(facts: FileFacts): Iterable<Finding> {
  for (const { node, root, value, key } of moduleStores(facts)) {
    const forward = facts.home(node);
    if (forward?.kind !== "method" || isBackward(facts, forward) || facts.names.gradient(root.name) > 0)
      continue;
    const values = valuesOf(facts);
    const fromInput = values
      .reads(value)
      .some((read) => read.kind === "param" && facts.scopes.declaredIn(read.binding, forward.node));
    if (!fromInput) continue;
    const reader = facts.functions.find(
      (fn) =>
        fn.owner === forward.owner &&
        fn !== forward &&
        isBackward(facts, fn) &&
        nodesIn(facts, "Identifier", fn.node).some(
          (name) => facts.scopes.resolve(name) === root && (key === null || isReadOf(facts, name, key)),
        ),
    );
    if (reader === undefined) continue;
    yield {
      start: startOf(node),
      end: endOf(node),
      message: `\`${root.name}\` is one ${key === null ? "variable" : "place"} for all objects of the class, and \`${reader.name}\` reads it when the sweep runs: it then holds what the last one kept. Keep it in a field.`,
      evidence: "structural",
      related: [place(reader.node, "read in the backward pass"), place(root.declaration, "one for all")],
    };
  }
}

interface ModuleStore {
  readonly node: Node;
  readonly root: Binding;
  readonly value: Node;
  /** of a part of an object or a map; null for the variable itself */
  readonly key: string | null;
}

function* moduleStores(facts: FileFacts): Iterable<ModuleStore> {
  const ofModule = (node: Node): Binding | null => {
    const binding = facts.binding(node);
    return binding?.kind === "variable" && binding.scope.type === "Program" ? binding : null;
  };
  for (const node of facts.assignments) {
    const left = bare(child(node, "left")!);
    const named = isMember(left) && propertyName(left) !== null;
    const root = node.operator !== "=" ? null : ofModule(named ? child(left, "object")! : left);
    if (root !== null)
      yield { node, root, value: child(node, "right")!, key: named ? valuesOf(facts).key(left) : null };
  }
  for (const call of callsNamed(facts, "set")) {
    const [name, value, ...more] = argumentsOf(call);
    const map = receiver(call);
    const root = map === null ? null : ofModule(map);
    if (root === null || value === undefined || more.length > 0 || typeof literal(name) !== "string")
      continue;
    const values = valuesOf(facts);
    yield { node: call, root, value, key: `${values.key(map!)}[${values.key(name)}]` };
  }
}

/** `kept.x`, `kept.get("x")` around the name, and not `kept.x.pop()`. */
function isReadOf(facts: FileFacts, name: Node, key: string): boolean {
  const member = name.parent;
  if (member == null || !isMember(member)) return false;
  const whole =
    member.parent != null && isCall(member.parent) && propertyName(member) === "get" ? member.parent : member;
  const around = whole.parent;
  const oneOfMany =
    around != null && isMember(around) && /^(?:pop|shift|at|get)$/.test(propertyName(around) ?? "");
  return valuesOf(facts).key(whole) === key && !oneOfMany;
}

/** Deferred closures of the reverse sweep: those that pay, and those that a loop pushes on a list. */
function deferred(facts: FileFacts): readonly Fn[] {
  const paying = new Set(backwardClosures(facts));
  return facts.functions.filter((fn) => {
    if (paying.has(fn)) return true;
    if (fn.inline || fn.kind !== "function" || fn.node.parent == null) return false;
    const call = fn.node.parent;
    return (
      /Call/.test(call.type) &&
      calleeName(call) === "push" &&
      (operationOf(facts, fn)?.linked ?? true) &&
      contributionsOf(facts).some(({ write }) => inside(write.node, fn.node))
    );
  });
}

/** `let h; for (...) { h = ...; tape.push(() => ... h ...) }`: all closures see the last. */
function* capturedInLoops(facts: FileFacts): Iterable<Finding> {
  for (const closure of deferred(facts)) {
    const loop = loopOutside(facts, closure);
    if (loop === null) continue;
    const told = new Set<Binding>();
    for (const name of nodesIn(facts, "Identifier", closure.node)) {
      const binding = facts.scopes.resolve(name);
      if (binding === null || binding.kind !== "variable" || told.has(binding)) continue;
      if (perTurn(facts, binding, loop) || inside(binding.declaration, closure.node)) continue;
      const change = changeIn(facts, binding, loop, closure);
      if (change === null || facts.names.gradient(binding.name) > 0) continue;
      told.add(binding);
      yield {
        start: startOf(change),
        end: endOf(change),
        message: `\`${binding.name}\` is one variable for all turns of the loop, and the closures made in it read it when the sweep runs: each then sees the value of the last turn. Declare it inside the loop.`,
        evidence: "structural",
        related: [place(name, "read in the backward pass"), place(binding.declaration, "one for all turns")],
        suggestions: declaring(facts, binding),
      };
    }
  }
}

/** `for (var i ...)`: `let` makes one a turn. */
function declaring(facts: FileFacts, binding: Binding): readonly Suggestion[] {
  for (let at: Node | null | undefined = binding.declaration; at != null; at = at.parent) {
    if (at.type !== "VariableDeclaration") continue;
    if (at.kind !== "var" || at.parent == null || !/^For/.test(at.parent.type)) return [];
    return [
      {
        title: "Declare it with `let`",
        kind: "rewrite",
        edits: [{ start: startOf(at), end: startOf(at) + 3, text: "let" }],
      },
    ].filter(() => facts.text.startsWith("var", startOf(at!))) as readonly Suggestion[];
  }
  return [];
}

function loopOutside(facts: FileFacts, fn: Fn): Node | null {
  const [around] = loopsAround(facts, fn.node.parent ?? fn.node);
  return around === undefined ? null : around.node;
}

/** Declared in the turn: in the loop's body, or by `let` in its head. */
function perTurn(_facts: FileFacts, binding: Binding, loop: Node): boolean {
  return inside(binding.scope, loop);
}

/** The store in the loop that later turns repeat. */
function changeIn(facts: FileFacts, binding: Binding, loop: Node, closure: Fn): Node | null {
  const change = [...assignmentsTo(facts, binding), ...updatesOf(facts, binding)].find(
    (node) => inside(node, loop) && !inside(node, closure.node),
  );
  if (change !== undefined) return change;
  const declared = partOf(facts.declarators, loop).find(
    (node) => child(node, "init") !== null && binding.declaration === child(node, "id"),
  );
  if (declared !== undefined) return declared;
  const [head] = facts.loops.filter(
    (one) =>
      one === loop && /^For(?:Of|In)/.test(one.type) && inside(binding.declaration, child(one, "left")!),
  );
  return head === undefined ? null : child(head, "left");
}

/** A rule object that keeps its operands in its own fields and stands in every node that it makes. */
function* sharedRules(facts: FileFacts): Iterable<Finding> {
  for (const owner of facts.classes) {
    const methods = facts.functions.filter(
      (fn) => fn.owner === owner && fn.kind === "method" && !fn.isStatic,
    );
    const making = methods.find(
      (fn) => fn.params.length > 0 && fn.returns.some((value) => holdsItself(facts, value, fn)),
    );
    if (making === undefined || !isShared(facts, owner)) continue;
    const told = new Set<string>();
    for (const write of writesOf(facts)) {
      if (
        facts.home(write.node) !== making ||
        write.objectKey !== "this" ||
        write.element ||
        write.form !== "assign"
      )
        continue;
      const reader = nodesOf(facts, "MemberExpression").find((member) => {
        if (propertyName(member) !== write.name || bare(child(member, "object")!).type !== "ThisExpression")
          return false;
        const home = facts.home(member);
        return home !== null && home !== making && home.owner === owner && home.kind === "method";
      });
      if (reader === undefined || told.size > 0) continue;
      told.add(write.name);
      yield {
        start: startOf(write.node),
        end: endOf(write.node),
        message: `\`this.${write.name}\` is one place for all uses of this rule, and the backward pass reads it (line ${lineOf(facts, reader)}): the operands of the next use replace these. Keep them in the node that is made.`,
        evidence: "structural",
        related: [place(reader, "read in the backward pass")],
      };
    }
  }
}

/** `{ ..., rule: this }`, `new Node(value, this)`. */
function holdsItself(facts: FileFacts, value: Node, fn: Fn): boolean {
  const made = bare(value);
  const binding = facts.binding(made);
  const root = binding?.definitions.find(({ kind }) => kind === "initial")?.expression ?? made;
  if (!/^(?:ObjectExpression|NewExpression|CallExpression)$/.test(bare(root).type)) return false;
  return partsOf(root).some((node) => {
    if (node.type !== "ThisExpression" || facts.enclosing(node) !== fn) return false;
    const parent = node.parent;
    return (
      parent != null &&
      (parent.type === "Property" ||
        parent.type === "NewExpression" ||
        (parent.type === "CallExpression" && child(parent, "callee") !== node))
    );
  });
}

/** Made once, outside of the operations that use it. */
function isShared(facts: FileFacts, owner: Node): boolean {
  const name = identifier(child(owner, "id"));
  const made = facts.news.filter((node) => calleeName(node) === name && name !== null);
  return made.length > 0 && made.every((node) => facts.home(node) === null);
}
