/** One blank buffer that many slots start with: `new Array(n).fill(new Float64Array(m))`, a constant of the module. */
import type { FileFacts } from "../../facts.js";
import { isBlank, slotNamesOf } from "../../overwriting/slots.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
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
  keyName,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { writesOf } from "../../writes.js";
import { callsOf } from "../../local.js";
import { inPlace } from "./in-place.js";

export function* sharedBuffers(facts: FileFacts): Iterable<Finding> {
  for (const call of facts.calls) {
    const [value] = argumentsOf(call);
    if (calleeName(call) !== "fill" || value === undefined || !makesBuffer(bare(value))) continue;
    const name = holderName(call) ?? givenName(facts, call);
    if (name === null || facts.names.gradient(name) === 0) continue;
    const changed = inPlace(facts, name, true) ?? inPlace(facts, name, false);
    if (changed === null) continue;
    const finding = report(facts, value, changed.node, "`fill` puts this one buffer into every entry");
    const list = receiver(call);
    yield list === null
      ? finding
      : {
          ...finding,
          suggestions: [
            {
              title: "Make a buffer for each entry",
              kind: "rewrite",
              edits: [
                {
                  start: startOf(call),
                  end: startOf(value),
                  text: `Array.from(${facts.source(list)}, () => `,
                },
                { start: endOf(value), end: endOf(call), text: ")" },
              ],
            },
          ],
        };
  }
  for (const { value, node, name } of starts(facts)) {
    const shared = sharedConstant(facts, value, node);
    if (shared === null || facts.names.gradient(name) === 0) continue;
    const changed = inPlace(facts, slotNamesOf(facts).canonical(name), false);
    if (changed !== null)
      yield report(
        facts,
        value,
        changed.node,
        `every slot that starts here starts as the one buffer \`${shared}\``,
      );
  }
}

function report(_facts: FileFacts, value: Node, changed: Node, what: string): Finding {
  return {
    start: startOf(value),
    end: endOf(value),
    message: `${what}, and contributions are added into it in place: each node gets what all of them get. Make one for each node.`,
    evidence: "structural",
    related: [place(changed, "changes the shared buffer")],
  };
}

function makesBuffer(node: Node): boolean {
  if (node.type === "ArrayExpression" || node.type === "ObjectExpression") return true;
  if (node.type === "NewExpression") return true;
  return isCall(node) && /^(?:zeros?|zerosLike|Array|fill|from)$/.test(calleeName(node) ?? "");
}

function holderName(node: Node): string | null {
  let at = node;
  while (at.parent != null && (bare(at.parent) !== at.parent || isCall(at.parent) || isMember(at.parent)))
    at = at.parent;
  const parent = at.parent;
  if (parent == null) return null;
  if (parent.type === "VariableDeclarator") return identifier(child(parent, "id"));
  if (parent.type === "AssignmentExpression") {
    const left = bare(child(parent, "left")!);
    return isMember(left) ? propertyName(left) : identifier(left);
  }
  if (parent.type === "PropertyDefinition" || parent.type === "Property") {
    const key = child(parent, "key");
    return key === null ? null : keyName(key, parent.computed === true);
  }
  return null;
}

/** The name that gets what a function gives: `const bars = newBars(n)` of `return new Array(n).fill(...)`. */
function givenName(facts: FileFacts, node: Node): string | null {
  const fn = facts.functions.find(({ returns }) => returns.some((value) => bare(value) === node));
  const [call] = fn === undefined || fn.name === "" ? [] : callsOf(facts, fn);
  return call === undefined ? null : holderName(call);
}

interface Start {
  readonly node: Node;
  readonly name: string;
  readonly value: Node;
}

/** Where slots get their first value: fields, properties, stores, defaults of parameters. */
function* starts(facts: FileFacts): Iterable<Start> {
  for (const node of facts.fields) {
    const value = child(node, "value");
    const name = keyName(child(node, "key")!, node.computed === true);
    if (value !== null && name !== null) yield { node, name, value };
  }
  for (const object of facts.objects)
    for (const property of children(object, "properties")) {
      if (property?.type !== "Property") continue;
      const name = keyName(child(property, "key")!, property.computed === true);
      if (name !== null) yield { node: property, name, value: child(property, "value")! };
    }
  // `constructor(readonly data, readonly grad = zeros)`
  for (const { kind, params } of facts.functions)
    for (const param of kind === "constructor" ? params : []) {
      const pattern = param.type === "TSParameterProperty" ? child(param, "parameter")! : param;
      const name = pattern.type === "AssignmentPattern" ? identifier(child(pattern, "left")) : null;
      if (name !== null) yield { node: param, name, value: child(pattern, "right")! };
    }
  for (const { node, name, value, form, element, object } of writesOf(facts))
    if (form === "assign" && !element && object !== null) yield { node, name, value };
}

/** A buffer made once, outside of everything that makes or clears nodes. */
function sharedConstant(facts: FileFacts, value: Node, at: Node): string | null {
  const inner = bare(value);
  const binding = facts.binding(inner);
  if (binding === null || binding.kind !== "variable") return null;
  const [made, ...more] = binding.definitions;
  if (made === undefined || made.path.length > 0 || more.some(({ kind }) => kind !== "element")) return null;
  const buffer = bare(made.expression);
  if (!(makesBuffer(buffer) || calleeName(buffer) === "map") || !isBlank(facts, buffer)) return null;
  if (buffer.type === "ObjectExpression" || /^(?:Map|Set|WeakMap)$/.test(calleeName(buffer) ?? ""))
    return null;
  // made in the same run as it is stored: one for each, unless a loop stores it several times
  for (let node: Node | null | undefined = at; node != null; node = node.parent) {
    if (node === binding.scope) return null;
    const loop = /^(?:For|While|DoWhile)/.test(node.type);
    if (loop || isFunction(node) || node.type === "PropertyDefinition") return binding.name;
  }
  return null;
}
