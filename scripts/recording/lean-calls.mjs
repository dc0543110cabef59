/** The operators and functions of rewritten code where only numbers are asked for: straight into lean memory. */
import { Rows } from "./rows.mjs";

/** Operators of the language, by the primitive that each records. */
const OPERATORS = ["add", "sub", "mul", "div", "mod", "pow"];
/** Those that also come in forms without an object for a result between two of them. */
const FUSED = ["add", "sub", "mul", "div"];
/** Functions of `Math` of one operand that are primitives under the same name. */
const FUNCTIONS =
  "abs sign exp expm1 log log1p log2 log10 sqrt cbrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh".split(
    " ",
  );
const SITE = "scope.base + site";
const NEWEST = "lean!.length - 1";

/**
 * Records a node and answers its traced number, or nothing where the node is known to be the newest.
 *
 * @param handles of both operands; of one, where there is one
 * @param keep an object is needed
 */
const noted = (code, handles, value, site, keep) => `
    const v = ${value};
    const node = lean!.put(${code}, ${handles[0]}, ${handles[1] ?? "0"}, v, ${site});
    if (lean!.crowded) ${keep ? "makeRoom();" : "return roomier(node, v, store!);"}
    return ${keep ? "new Traced(node, v, store!)" : "undefined"};`;

/** The same where `own` are the traced operands and their tape is that of lean memory, if there is any. */
const recorded = (code, own, handles, value, site, keep = true) => `
  const { lean, store } = active;
  if (lean !== null && ${own.map((x) => `tapeOf(${x}) === store`).join(" && ")}) {
    ${noted(code, handles, value, site, keep).replaceAll("lean!.", "lean.")}
  }`;

/** The row's expression over primals, as text; the operands are `a` and `b`. */
function valueOf(rows, code, a, b) {
  return rows.value(code).replace(/\b[xy]\b/g, (name) => (name === "x" ? a : b));
}

function operatorText(rows, primitives, name, keep) {
  const code = primitives.findIndex((row) => row.name === name);
  const node = (own, handles, a, b) => recorded(code, own, handles, valueOf(rows, code, a, b), SITE, keep);
  return `function ${name}${keep ? "" : "N"}(a: unknown, b: unknown, site: number, scope: S): unknown {
    if (operand(a)) {
      if (operand(b)) {
        ${node(["a", "b"], ["idOf(a)", "idOf(b)"], "primal(a)", "primal(b)")}
      } else if (typeof b === "number") {
        ${node(["a"], ["idOf(a)", "lean.constant(b)"], "primal(a)", "b")}
      }
    } else if (typeof a === "number" && operand(b)) {
      ${node(["b"], ["lean.constant(a)", "idOf(b)"], "a", "primal(b)")}
    }
    return general_${name}(a, b, site, scope);
  }`;
}

/**
 * An operator of which one operand may be the newest node, which `undefined` stands for.
 *
 * @param left that operand is the left one
 */
function behindText(rows, primitives, name, left, keep) {
  const code = primitives.findIndex((row) => row.name === name);
  const [newest, other] = left ? ["a", "b"] : ["b", "a"];
  const pair = (x, y) => (left ? [x, y] : [y, x]);
  const node = (handle, value) =>
    noted(code, pair(NEWEST, handle), valueOf(rows, code, ...pair("lean!.newest()", value)), SITE, keep);
  const form = `${name}${left ? "L" : "R"}${keep ? "" : "N"}`;
  return `function ${form}(a: unknown, b: unknown, site: number, scope: S): unknown {
    if (${newest} !== undefined) return ${name}${keep ? "" : "N"}(a, b, site, scope);
    const { lean, store } = active;
    if (operand(${other})) {
      if (tapeOf(${other}) === store) { ${node(`idOf(${other})`, `primal(${other})`)} }
    } else if (typeof ${other} === "number") {
      const newest = ${NEWEST};
      ${node(`lean!.constant(${other})`, other).replace(NEWEST, "newest")}
    }
    return general_${name}(${pair("newestNode()", other).join(", ")}, site, scope);
  }`;
}

/** The sign; of the newest node, if `behind` and its operand is `undefined`. */
function signText(code, behind, keep) {
  const form = `neg${behind ? "R" : ""}${keep ? "" : "N"}`;
  const body = behind
    ? `if (a !== undefined) return neg${keep ? "" : "N"}(a, site, scope);
       const { lean, store } = active;
       ${noted(code, [NEWEST], "-lean!.newest()", SITE, keep)}`
    : `if (operand(a)) { ${recorded(code, ["a"], ["idOf(a)"], "-primal(a)", SITE, keep)} }
       return general_neg(a, site, scope);`;
  return `function ${form}(a: unknown, site: number, scope: S): unknown { ${body} }`;
}

/**
 * A sum or difference one operand of which is a product `x * y` that was not made yet, if `p` is `undefined`.
 *
 * @param outer "add" or "sub"
 * @param left the product is on the left
 */
function productText(rows, primitives, outer, left, keep) {
  const [code, mul] = [outer, "mul"].map((name) => primitives.findIndex((row) => row.name === name));
  const pair = (p, c) => (left ? [p, c] : [c, p]);
  const N = keep ? "" : "N";
  const [form, behind] = left ? [`mul${outer === "add" ? "Add" : "Sub"}`, "L"] : [`${outer}Mul`, "R"];
  return `function ${form}${N}(${pair("p: unknown", "c: unknown").join(", ")}, x: unknown, y: unknown, inner: number, site: number, scope: S): unknown {
    if (p !== undefined) return ${outer}${N}(${pair("p", "c").join(", ")}, site, scope);
    const { lean, store } = active;
    // what is neither number nor of this recording goes the way of two operators
    const ownX = operand(x) && tapeOf(x) === store;
    const ownY = operand(y) && tapeOf(y) === store;
    const ownC = operand(c) && tapeOf(c) === store;
    if (
      lean !== null &&
      (ownX || typeof x === "number") &&
      (ownY || typeof y === "number") &&
      (ownC || typeof c === "number")
    ) {
      const first = ownX ? idOf(x) : lean.constant(x as number);
      const second = ownY ? idOf(y) : lean.constant(y as number);
      const other = ownC ? idOf(c) : lean.constant(c as number);
      const w = ownC ? primal(c) : (c as number);
      const u = ${valueOf(rows, mul, "(ownX ? primal(x) : (x as number))", "(ownY ? primal(y) : (y as number))")};
      const product = lean.put(${mul}, first, second, u, scope.base + inner);
      ${noted(code, pair("product", "other"), valueOf(rows, code, ...pair("u", "w")), SITE, keep).replaceAll("lean!.", "lean.")}
    }
    return ${outer}${behind}${N}(${pair(`mulN(x, y, inner, scope)`, "c").join(", ")}, site, scope);
  }`;
}

/** The forms that know of the newest node, by name. */
const forms = (name) => ["N", "L", "LN", "R", "RN"].map((form) => name + form);
const signs = ["N", "R", "RN"].map((form) => `neg${form}`);

export function leanCallsText(primitives) {
  const rows = new Rows(primitives);
  const codeOf = (name) => primitives.findIndex((row) => row.name === name);
  const operators = OPERATORS.map((name) => operatorText(rows, primitives, name, true));
  for (const name of FUSED) {
    operators.push(operatorText(rows, primitives, name, false));
    for (const left of [true, false])
      for (const keep of [true, false]) operators.push(behindText(rows, primitives, name, left, keep));
  }
  for (const outer of ["add", "sub"])
    for (const left of [true, false])
      for (const keep of [true, false]) operators.push(productText(rows, primitives, outer, left, keep));
  for (const behind of [false, true])
    for (const keep of [true, false]) operators.push(signText(codeOf("neg"), behind, keep));
  const functions = FUNCTIONS.map((name) => {
    // the realm's own function, where the row says that its value is just that
    const own = rows.value(codeOf(name)) === `Math.${name}(x)`;
    const value = own ? "original(primal(x)) as number" : valueOf(rows, codeOf(name), "primal(x)", "");
    return `${name}: (original: Original, general: Original): Original => ({
      of(x: unknown): unknown {
        if (typeof x === "number") return original(x);
        if (operand(x)) {
          ${recorded(codeOf(name), ["x"], ["idOf(x)"], value, "call.site")}
        }
        return general(x);
      },
    }).of,`;
  });
  const all = [...OPERATORS, "neg"];
  const fused = FUSED.flatMap(forms);
  const products = ["addMul", "subMul", "mulAdd", "mulSub"].flatMap((name) => [name, `${name}N`]);
  const generals = all.map((name) => `general_${name}: ${name === "neg" ? "Sign" : "Operator"}<S>`);
  const shared = `active: typeof recording,
    operand: (x: unknown) => x is TracedNumber,
    idOf: (x: TracedNumber) => number,
    tapeOf: (x: TracedNumber) => Tape,
    primal: (x: TracedNumber) => number,
    Traced: typeof TracedNumber,
    makeRoom: () => void,`;
  const given =
    "recording, TracedNumber.operand, TracedNumber.id, TracedNumber.tape, TracedNumber.primal, TracedNumber, makeRoom";
  return {
    "engine/ops/lean-calls.ts": `/**
 * Generated by scripts/generate-recording.mjs from the table of primitives; do not edit.
 *
 * What rewritten code calls on operands that are not all plain numbers, with the way into lean memory in front: two traced
 * numbers, or one and a plain number, are recorded without another call, and everything else goes the general way.
 *
 * A result that is only an operand of the operator around it, which runs as soon as it is there, needs no object: it is the
 * newest node. A form with an N at its end then answers \`undefined\`, which no operator of the language does, and a form with an L
 * or R takes that for the newest node on its left or right. Rewritten code asks for them where nothing runs in between
 * (\`compile/emit/newest.ts\`). A sum with a product in it takes the product's operands instead, if they are not both plain
 * numbers (\`addMul\` and so on), and records both.
 *
 * All that these reach stands in parameters. The host's compiler takes a parameter that is never assigned for a constant; a
 * name of the module it would load and compare at every use.
 */
import { call as callInProgress } from "../tape/callsite.js";
import type { Tape } from "../tape/tape.js";
import { TracedNumber } from "../tape/traced.js";
import { makeRoom, recording } from "./active.js";
${rows.called.length === 0 ? "" : `import { primitives } from "./table.js";\n\n${rows.called.join("\n")}`}

/** Where the base of a module's sites stands. */
interface Based { readonly base: number }
type Operator<S> = (a: unknown, b: unknown, site: number, scope: S) => unknown;
/** \`c + x * y\` and the like: \`x * y\` is \`p\`, or not made yet; \`inner\` is its site. */
type Product<S> = (
  left: unknown,
  right: unknown,
  x: unknown,
  y: unknown,
  inner: number,
  site: number,
  scope: S,
) => unknown;
type Sign<S> = (a: unknown, site: number, scope: S) => unknown;
type Original = (x: unknown) => unknown;

export interface Operators<S> {
  ${OPERATORS.map((name) => `readonly ${name}: Operator<S>;`).join("\n")}
  readonly neg: Sign<S>;
}

/** The forms that hand on the newest node, or take it. */
export interface NewestOperators<S> {
  ${fused.map((name) => `readonly ${name}: Operator<S>;`).join("\n")}
  ${products.map((name) => `readonly ${name}: Product<S>;`).join("\n")}
  ${signs.map((name) => `readonly ${name}: Sign<S>;`).join("\n")}
}

/** The operators of the language; \`general\` has what they do with other operands, and where there is no lean memory. */
export function leanOperators<S extends Based>(general: Operators<S>): Operators<S> & NewestOperators<S> {
  return bindOperators(${given}, ${all.map((name) => `general.${name}`).join(", ")});
}

function bindOperators<S extends Based>(${shared} ${generals.join(", ")}): Operators<S> & NewestOperators<S> {
  function roomier(node: number, v: number, store: Tape): TracedNumber {
    makeRoom();
    return new Traced(node, v, store);
  }
  function newestNode(): TracedNumber {
    const { lean, store } = active;
    return new Traced(${NEWEST}, lean!.newest(), store!);
  }
  ${operators.join("\n")}
  return { ${[...all, ...fused, ...products, ...signs].join(", ")} };
}

/** A function of \`Math\` over traced numbers: \`original\` is for plain numbers, \`general\` for all else. */
type Maker = (original: Original, general: Original) => Original;

function bindFunctions(${shared} call: typeof callInProgress): Readonly<Record<string, Maker>> {
  return { ${functions.join("\n")} };
}

/** Functions of \`Math\` of one operand by name. */
export const leanFunctions = bindFunctions(${given}, callInProgress);
`,
  };
}
