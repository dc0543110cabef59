/** The table of primitives as text to be put into generated code: expressions of rows, or calls of their functions. */
import { fileURLToPath } from "node:url";
import { parseExpression } from "@babel/parser";
import { build } from "esbuild";

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const OPERANDS = ["x", "y", "z"];

export async function table() {
  const bundle = await build({
    entryPoints: [`${root}engine/ops/table.ts`],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
  });
  const source = Buffer.from(bundle.outputFiles[0].contents).toString("base64");
  return (await import(`data:text/javascript;base64,${source}`)).primitives;
}

/** Every identifier of an expression that is read, with its place; null for what is no simple expression. */
function identifiers(node, out = []) {
  switch (node.type) {
    case "Identifier":
      out.push(node);
      return out;
    case "NumericLiteral":
      return out;
    case "UnaryExpression":
      return identifiers(node.argument, out);
    case "BinaryExpression":
    case "LogicalExpression":
      return identifiers(node.left, out) && identifiers(node.right, out);
    case "ConditionalExpression":
      return (
        identifiers(node.test, out) && identifiers(node.consequent, out) && identifiers(node.alternate, out)
      );
    case "MemberExpression":
      return node.object.name === "Math" && !node.computed ? out : null;
    case "CallExpression":
      if (node.callee.type !== "MemberExpression" || identifiers(node.callee, []) === null) return null;
      return node.arguments.every((argument) => identifiers(argument, out) !== null) ? out : null;
    default:
      return null;
  }
}

/** The body of an arrow function with its parameters renamed, or null if it is more than an expression over them. */
function inlined(fn, names) {
  const text = fn.toString();
  let node;
  try {
    node = parseExpression(text);
  } catch {
    return null;
  }
  if (node.type !== "ArrowFunctionExpression" || node.body.type === "BlockStatement") return null;
  const found = identifiers(node.body);
  if (found === null) return null;
  const parameters = node.params.map((parameter) => parameter.name);
  let out = "";
  let at = node.body.start;
  for (const { start, end, name } of found.sort((a, b) => a.start - b.start)) {
    const index = parameters.indexOf(name);
    if (index < 0 && name !== "NaN" && name !== "Infinity") return null;
    out += text.slice(at, start) + (index < 0 ? name : names[index]);
    at = end;
  }
  return out + text.slice(at, node.body.end);
}

/** Expressions of the rows, and the rows' functions that are called because they are more than an expression. */
export class Rows {
  called = [];
  constructor(primitives) {
    this.primitives = primitives;
  }

  call(code, what, slot, names) {
    const constant = `${this.primitives[code].name}_${what}${slot ?? ""}`;
    if (!this.called.some((entry) => entry.startsWith(`const ${constant} `))) {
      const field = {
        value: "value",
        local: `local[${slot}]`,
        vjp: `vjp![${slot}]!`,
        second: `second[${slot}]!`,
      }[what];
      this.called.push(`const ${constant} = primitives[${code}].${field};`);
    }
    return `${constant}(${names.join(", ")})`;
  }

  /** the operands' names, 0 for those it has not */
  names(code) {
    return OPERANDS.map((name, i) => (i < this.primitives[code].arity ? name : "0"));
  }

  value(code) {
    const names = this.names(code);
    return inlined(this.primitives[code].value, names) ?? this.call(code, "value", null, names);
  }

  /** the slot's own rule for a cotangent (or tangent) named `g`; null where it is `g` times the local derivative */
  vjp(code, slot, g) {
    const pull = this.primitives[code].vjp?.[slot];
    if (pull === undefined) return null;
    const names = [g, ...this.names(code), "v"];
    // the sign says that it is a number: else the compiler would keep contributions in boxes, for the sake of this one
    return inlined(pull, names) ?? `+${this.call(code, "vjp", slot, names)}`;
  }

  local(code, slot) {
    const names = [...this.names(code), "v"];
    return inlined(this.primitives[code].local[slot], names) ?? `+${this.call(code, "local", slot, names)}`;
  }

  /** what slot is handed for the cotangent `g` */
  pull(code, slot) {
    const own = this.vjp(code, slot, "g");
    if (own !== null) return own;
    const local = this.local(code, slot);
    return local.startsWith("+") ? `g * ${local.slice(1)}` : `g * (${local})`;
  }

  /** the k-th second partial derivative; null where it is zero throughout */
  second(code, k) {
    const rule = this.primitives[code].second[k];
    if (rule === null) return null;
    const names = [...this.names(code), "v"];
    return inlined(rule, names) ?? `+${this.call(code, "second", k, names)}`;
  }

  /** true for a slot that hands nothing on, whatever arrives: its derivative is 0 and reads nothing */
  idle(code, slot) {
    const { saves, local } = this.primitives[code];
    return saves[slot].length === 0 && local[slot](1, 1, 1, 1) === 0;
  }
}

export const reads = (text, name) => new RegExp(`\\b${name}\\b`).test(text);

/** What calls a function. */
export const CALL = /\w\(/;

/** Rows that programs are mostly made of, the most frequent first. */
const FREQUENT = ["mul", "add", "sub"];

/**
 * The choice of a rule by `code`. The frequent ones are asked for by comparison, the others by a switch: a processor foresees
 * comparisons better than where a switch will jump to.
 *
 * @param bodies by opcode what a rule does; null for one that `otherwise` does
 */
export function choice(primitives, bodies, otherwise) {
  const first = FREQUENT.map((name) => primitives.findIndex((row) => row.name === name));
  const asked = first.map((code) => `if (code === ${code}) { ${bodies[code]} }`);
  const rest = bodies.flatMap((body, code) =>
    body === null || first.includes(code)
      ? []
      : [`case ${code}: { ${body} ${/continue;\s*$/.test(body) ? "" : "break;"} }`],
  );
  return `${asked.join(" else ")} else { switch (code) {
    ${rest.join("\n")}
    default: { ${otherwise} }
  } }`;
}
