/**
 * Writes from the table of primitives what must be fast: engine/recording/generated.ts (operations over integer handles, the
 * reverse sweep and the replay, one switch each), engine/ops/record.ts (operations on traced numbers) and
 * engine/graph/scalar-calls.ts (the explicit calls). A row's expression stands in place of a call where it is simple. Run
 * by the build; `--check` only says whether the files are up to date.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseExpression } from "@babel/parser";
import { build } from "esbuild";
import prettier from "prettier";

const root = fileURLToPath(new URL("../", import.meta.url));
const target = `${root}engine/recording/generated.ts`;
const OPERANDS = ["x", "y", "z"];

async function table() {
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
class Rows {
  called = [];
  constructor(primitives) {
    this.primitives = primitives;
  }

  call(code, what, slot, names) {
    const constant = `${this.primitives[code].name}_${what}${slot ?? ""}`;
    if (!this.called.some((entry) => entry.startsWith(`const ${constant} `))) {
      const field = { value: "value", local: `local[${slot}]`, vjp: `vjp![${slot}]!` }[what];
      this.called.push(`const ${constant} = primitives[${code}].${field};`);
    }
    return `${constant}(${names.join(", ")})`;
  }

  value(code) {
    const row = this.primitives[code];
    const names = OPERANDS.map((name, i) => (i < row.arity ? name : "0"));
    return inlined(row.value, names) ?? this.call(code, "value", null, names);
  }

  /** what slot is handed */
  pull(code, slot) {
    const row = this.primitives[code];
    const names = OPERANDS.map((name, i) => (i < row.arity ? name : "0"));
    const pull = row.vjp?.[slot];
    // the sign says that it is a number: else the compiler would keep contributions in boxes, for the sake of this one
    if (pull)
      return inlined(pull, ["g", ...names, "v"]) ?? `+${this.call(code, "vjp", slot, ["g", ...names, "v"])}`;
    const local = inlined(row.local[slot], [...names, "v"]);
    return local === null ? `g * ${this.call(code, "local", slot, [...names, "v"])}` : `g * (${local})`;
  }
}

const reads = (text, name) => new RegExp(`\\b${name}\\b`).test(text);

/** Class text. `m` says how the memory and the counters are reached. */
function classText(rows, m) {
  const { primitives } = rows;
  const out = [];
  // constants grow down from the end of the columns: the last bits of ~k are the index of the k-th
  const at = (handle) => `${handle} & ${m.mask}`;
  const operand = (handle) => `${m.value}[${at(handle)}]`;
  primitives.forEach((row, code) => {
    if (row.arity === 3) {
      out.push(
        `${row.name}(a: Handle, b: Handle, c: Handle): Handle { return this.ternary(${code}, a, b, c); }`,
      );
      return;
    }
    const two = row.arity === 2;
    // all but what is no integer in one branch on a sign: beyond the nodes, below the constants, no room
    const bad = two
      ? `((i + ~a) | (i + ~b) | (a - ${m.low}) | (b - ${m.low}) | (${m.last} - i)) < 0 || (a | 0) !== a || (b | 0) !== b`
      : `((i + ~a) | (a - ${m.low}) | (${m.last} - i)) < 0 || (a | 0) !== a`;
    out.push(`${row.name}(a: Handle${two ? ", b: Handle" : ""}): Handle {
      ${two ? m.method : m.methodOfOne}
      const i = ${m.n};
      if (${bad}) return this.slow(${code}, a${two ? ", b" : ""});
      const at = i & ${m.mask};
      const x = ${operand("a")};
      ${two ? `const y = ${operand("b")};` : ""}
      ${m.op}[at] = ${code};
      ${m.a}[at] = a;
      ${two ? `${m.b}[at] = b;` : ""}
      ${m.value}[at] = ${rows.value(code)};
      ${m.site}[at] = ${m.now};
      ${m.n} = i + 1;
      return i;
    }`);
  });

  const back = primitives.map((row, code) => {
    const pulls = Array.from({ length: row.arity }, (_, slot) => rows.pull(code, slot));
    const all = pulls.join(" ");
    const head = [];
    if (row.arity === 3) {
      OPERANDS.forEach((name, slot) => {
        head.push(`const ${name}r = this.args.at(a + ${slot});`);
        if (reads(all, name)) head.push(`const ${name} = ${operand(`${name}r`)};`);
      });
      if (reads(all, "v")) head.push(`const v = ${m.value}[${at("i")}];`);
      const slots = pulls.map(
        (pull, slot) => `if (${OPERANDS[slot]}r >= 0) {
          const c = ${pull};
          this.argContribution.set(a + ${slot}, c);
          ${m.cotangent}[${OPERANDS[slot]}r] = ${m.cotangent}[${OPERANDS[slot]}r] + c;
        }`,
      );
      return `case ${code}: { ${head.join("\n")} ${slots.join("\n")} continue; }`;
    }
    if (row.arity === 1) {
      if (reads(all, "x")) head.push(`const x = ${operand("a")};`);
    } else {
      if (reads(all, "x")) head.push(`const x = ${operand("a")};`);
      if (reads(all, "y")) head.push(`const y = ${operand("b")};`);
    }
    if (reads(all, "v")) head.push(`const v = ${m.value}[${at("i")}];`);
    if (row.arity === 1) {
      return `case ${code}: { ${head.join("\n")}
        p = ${pulls[0]};
        ${m.contribution}[(2 * i) & ${m.mask2}] = p;
        ${m.cotangent}[${at("a")}] = ${m.cotangent}[${at("a")}] + p;
        continue; }`;
    }
    // a derivative in a constant may cost a logarithm, and is none of a node's
    const guarded = (pull, handle) => (pull.includes("(") ? `${handle} >= 0 ? ${pull} : 0` : pull);
    return `case ${code}: { ${head.join("\n")}
      p = ${guarded(pulls[0], "a")};
      q = ${guarded(pulls[1], "b")};
      break; }`;
  });
  out.push(`protected override reverse(start: number): void {
    ${m.sweep}
    for (let i = start; i >= 0; i--) {
      const code = ${m.op}[${at("i")}];
      if (code >= OP_CUT) continue;
      let g = ${m.cotangent}[${at("i")}];
      // -0: nothing has arrived, because no path leads to an output, or nothing but -0, whose sum is 0
      if (g === 0 && 1 / g < 0) {
        if (!this.leads(i)) continue;
        g = 0;
      }
      const a = ${m.a}[${at("i")}];
      const b = ${m.b}[${at("i")}];
      let p: number;
      let q: number;
      switch (code) {
        ${back.join("\n")}
        default: throw this.wrong(\`opcode \${code} has no derivative rule\`);
      }
      ${m.contribution}[(2 * i) & ${m.mask2}] = p;
      ${m.contribution}[(2 * i + 1) & ${m.mask2}] = q;
      ${m.cotangent}[${at("a")}] = ${m.cotangent}[${at("a")}] + p;
      ${m.cotangent}[${at("b")}] = ${m.cotangent}[${at("b")}] + q;
    }
  }`);

  const ahead = primitives.map((row, code) => {
    const value = rows.value(code);
    const head = OPERANDS.slice(0, row.arity).map((name, slot) => {
      if (row.arity === 3)
        return `const ${name}r = this.args.at(a + ${slot}); const ${name} = ${operand(`${name}r`)};`;
      if (row.arity === 1) return `const x = ${operand("a")};`;
      return `const ${name} = ${operand("ab"[slot])};`;
    });
    return `case ${code}: { ${head.join(" ")} ${m.value}[${at("i")}] = ${value}; continue; }`;
  });
  out.push(`protected override forward(): void {
    ${m.replay}
    const end = ${m.n};
    for (let i = 0; i < end; i++) {
      const code = ${m.op}[${at("i")}];
      if (code >= OP_CUT) continue;
      const a = ${m.a}[${at("i")}];
      const b = ${m.b}[${at("i")}];
      switch (code) {
        ${ahead.join("\n")}
        default: throw this.wrong(\`opcode \${code} has no value rule\`);
      }
    }
  }`);
  return out.join("\n");
}

const LOCALS = {
  op: "ops",
  a: "first",
  b: "second",
  value: "value",
  site: "sites",
  cotangent: "bar",
  contribution: "handed",
  mask: "mask",
  mask2: "mask2",
};

const header = `/**
 * Generated by scripts/generate-recording.mjs from the table of primitives; do not edit.
 *
 * The same operations twice: over memory in constants of one closure, which the host's compiler takes for what they are
 * (\`boundRecording\`), and over memory in fields, of which there may be any number and which grows (\`OwnRecording\`).
 */
import { primitives } from "../ops/table.js";
import { OP_CUT } from "../tape/tape.js";
import { allocate, capacityFor, wider, type Columns } from "./columns.js";
import { RecordingBase, type Handle } from "./recording.js";
`;

const read = (m) => `override value(x: Handle): number {
    if ((x | 0) !== x || x >= ${m.n} || x < ${m.low} || this.broken !== null) return this.noValue(x);
    ${m.read}
    return value[x & ${m.mask}];
  }

  override constant(x: number): Handle {
    if (typeof x !== "number") return this.noConstant(x);
    if (${m.n} > ${m.last}) {
      this.grow();
      return this.constant(x);
    }
    ${m.read}
    ${m.last}--;
    ${m.low}--;
    value[${m.low} & ${m.mask}] = x;
    return ${m.low};
  }`;

const append = (m) => `protected override append(op: number, a: number, b: number, y: number): Handle {
    if (${m.n} > ${m.last}) {
      this.grow();
      return this.append(op, a, b, y);
    }
    ${m.method.replace(", mask ", " ")}
    const i = ${m.n};
    ${m.op}[i] = op;
    ${m.a}[i] = a;
    ${m.b}[i] = b;
    ${m.value}[i] = y;
    ${m.site}[i] = ${m.now};
    ${m.n} = i + 1;
    return i;
  }`;

async function generate() {
  const primitives = await table();
  const rows = new Rows(primitives);
  const bound = {
    ...LOCALS,
    n: "n",
    low: "low",
    last: "last",
    now: "site",
    method: "",
    methodOfOne: "",
    read: "",
    sweep: "",
    replay: "",
  };
  const own = {
    ...LOCALS,
    n: "this.n",
    low: "this.low",
    last: "this.last",
    now: "this.site",
    method: "const { op: ops, a: first, b: second, value, site: sites, mask } = this.memory;",
    methodOfOne: "const { op: ops, a: first, value, site: sites, mask } = this.memory;",
    read: "const { value, mask } = this.memory;",
    replay: "const { op: ops, a: first, b: second, value, mask } = this.memory;",
    sweep:
      "const { op: ops, a: first, b: second, value, cotangent: bar, contribution: handed, mask } = this.memory; const mask2 = 2 * mask + 1;",
  };
  const operations = primitives.map((row) => {
    const operands = ["a", "b", "c"].slice(0, row.arity).map((name) => `${name}: Handle`);
    return `/** (${row.operands.join(", ")}) to \`${row.formula}\`. ${row.doc} */\n${row.name}(${operands.join(", ")}): Handle;`;
  });
  const ownClass = `
export class OwnRecording extends RecordingBase implements Operations {
  private n = 0;
  /** the lowest handle of a constant, 0 without one */
  private low = 0;
  /** the last node there is room for */
  private last = 0;
  private site = -1;
  private memory: Columns;

  constructor(limit: number, capacity: number) {
    super(limit);
    this.memory = allocate(capacityFor(capacity));
    this.last = this.memory.mask;
  }

  /** Turns a recording into one with memory of its own, where it stands: the program goes on with the same object. */
  static become(recording: RecordingBase, from: Columns, n: number, low: number, site: number): void {
    const memory = wider(from, n, low, recording.limit);
    Object.setPrototypeOf(recording, OwnRecording.prototype);
    const own = recording as OwnRecording;
    own.memory = memory;
    own.n = n;
    own.low = low;
    own.last = memory.mask + low;
    own.site = site;
  }

  get length(): number { return this.n; }
  override at(site: number): void { this.site = site; }
  protected override columns(): Columns { return this.memory; }
  protected override constantCount(): number { return -this.low; }
  protected override filled(n: number): void { this.n = n; }
  protected override siteNow(): number { return this.site; }
  protected override grow(): void {
    this.memory = wider(this.memory, this.n, this.low, this.limit);
    this.last = this.memory.mask + this.low;
  }
  protected override clear(): void {
    this.n = 0;
    this.low = 0;
    this.last = this.memory.mask;
  }
  ${append(own)}
  ${read(own)}
  ${classText(rows, own)}
}`;
  const boundClass = `
export interface BoundRecording extends RecordingBase, Operations {
  /** Moves to memory of its own. */
  leave(): void;
}

/**
 * Makes the one fast memory of this realm, and the class of recordings that hold it, one at a time. A second call would
 * still be right, but no longer fast.
 */
export function boundMemory(capacity: number): { new (limit: number): BoundRecording } {
  const memory = allocate(capacity);
  const { op, a, b, value, site, cotangent, contribution, mask } = memory;
  return bind(memory, mask, 2 * mask + 1, op, a, b, value, site, cotangent, contribution, 0, 0, mask, -1);
}

/** All that operations reach stands in parameters: those need no check that they are initialised. */
function bind(
  memory: Columns,
  mask: number,
  mask2: number,
  ops: Uint8Array,
  first: Int32Array,
  second: Int32Array,
  value: Float64Array,
  sites: Int32Array,
  bar: Float64Array,
  handed: Float64Array,
  n: number,
  low: number,
  last: number,
  site: number,
): { new (limit: number): BoundRecording } {
  return class extends RecordingBase implements BoundRecording {
    get length(): number { return n; }
    override at(next: number): void { site = next; }
    protected override columns(): Columns { return memory; }
    protected override constantCount(): number { return -low; }
    protected override filled(count: number): void { n = count; }
    protected override siteNow(): number { return site; }
    protected override grow(): void { this.leave(); }
    protected override clear(): void { n = 0; low = 0; last = mask; }
    leave(): void {
      OwnRecording.become(this, memory, n, low, site);
      n = 0; low = 0; last = mask; site = -1;
    }
    ${append(bound)}
    ${read(bound)}
    ${classText(rows, bound)}
  };
}`;
  const source = `${header}
/** The operations, as the table has them. */
export interface Operations { ${operations.join("\n")} }

/* Rules that are more than an expression. */
${rows.called.join("\n")}

${ownClass}
${boundClass}
`;
  return source;
}

/** Recording of one operation on handles of the ordinary engine, and the function of the explicit-call API around it. */
function callsText(primitives) {
  const rows = new Rows(primitives);
  const record = [];
  const calls = [];
  primitives.forEach((row, code) => {
    if (row.arity === 3) return;
    const two = row.arity === 2;
    const kink = row.kink
      ? `if (${row.name}_kink.at(x, ${two ? "y" : "0"}, 0)) recorder.kinked(${code}, site);`
      : "";
    if (row.kink) rows.called.push(`const ${row.name}_kink = primitives[${code}].kink!;`);
    const value = rows.value(code);
    record.push(
      two
        ? `export function ${row.name}(recorder: Recorder, a: Operand, b: Operand, site: number, scope: number): TracedNumber {
            if (recorder.round !== null) return recorder.binary(${code}, a, b, site, scope);
            const { tape } = recorder;
            const x = primal(a);
            const y = primal(b);
            const first = typeof a === "number" ? tape.constant(a) : node(a, tape, site);
            const second = typeof b === "number" ? tape.constant(b) : node(b, tape, site);
            ${kink}
            const v = ${value};
            return new TracedNumber(tape.push(${code}, first, second, v, site, scope), v, tape);
          }`
        : `export function ${row.name}(recorder: Recorder, a: TracedNumber, site: number, scope: number): TracedNumber {
            if (recorder.round !== null) return recorder.unary(${code}, a, site, scope);
            const { tape } = recorder;
            const x = primal(a);
            const first = node(a, tape, site);
            ${kink}
            const v = ${value};
            return new TracedNumber(tape.push(${code}, first, NO_OPERAND, v, site, scope), v, tape);
          }`,
    );
    calls.push(
      two
        ? `${row.name}(a: number, b: number): number {
            if (typeof a === "number" && typeof b === "number") return plain.${row.name}(a, b);
            const recorder = activeRecorder();
            if (recorder === null || !isOperand(a) || !isOperand(b)) return apply("${row.name}", [a, b]);
            return record.${row.name}(recorder, a, b, call.site, callRow()) as unknown as number;
          }`
        : `${row.name}(a: number): number {
            if (typeof a === "number") return plain.${row.name}(a);
            const recorder = activeRecorder();
            if (recorder === null || !isTraced(a)) return apply("${row.name}", [a]);
            return record.${row.name}(recorder, a, call.site, callRow()) as unknown as number;
          }`,
    );
  });
  const plain = primitives
    .filter((row) => row.arity < 3)
    .map((row) => {
      const names = OPERANDS.slice(0, row.arity);
      return `${row.name}: (${names.map((name) => `${name}: number`).join(", ")}): number => ${rows.value(primitives.indexOf(row))},`;
    });
  const warning = "Generated by scripts/generate-recording.mjs from the table of primitives; do not edit.";
  return {
    "engine/ops/record.ts": `/**
 * ${warning}
 *
 * Recording of one operation on traced numbers, the row's own expression in place of a call. What rounds, and what is no
 * number, goes the recorder's general way.
 */
import { TracedNumber, type Operand, idOf, primal, tapeOf } from "../tape/traced.js";
import { NO_OPERAND, type Tape } from "../tape/tape.js";
import { foreign, type Recorder } from "./recorder.js";
import { primitives } from "./table.js";

${rows.called.join("\n")}

function node(x: TracedNumber, tape: Tape, site: number): number {
  if (tapeOf(x) !== tape) throw foreign(site);
  return idOf(x);
}

/** The values alone. */
export const plain = { ${plain.join("\n")} };

${record.join("\n\n")}
`,
    "engine/graph/scalar-calls.ts": `/**
 * ${warning}
 *
 * The explicit calls on scalars by name: on numbers they compute, on traced ones they record; all else goes to \`apply\`.
 */
import { activeRecorder } from "../ops/recorder.js";
import { plain } from "../ops/record.js";
import * as record from "../ops/record.js";
import { call, callRow } from "../tape/callsite.js";
import { isTraced, type Operand } from "../tape/traced.js";
import { apply } from "./apply.js";

function isOperand(x: unknown): x is Operand {
  return typeof x === "number" || isTraced(x);
}

export const scalarCalls = { ${calls.join(",\n")} };
`,
  };
}

/**
 * Writes the files anew where they differ.
 *
 * @param check only look
 * @returns the paths that were not what the table gives
 */
export async function generateRecording({ check = false } = {}) {
  const options = await prettier.resolveConfig(target);
  const files = { "engine/recording/generated.ts": await generate(), ...callsText(await table()) };
  const stale = [];
  for (const [path, source] of Object.entries(files)) {
    const wanted = await prettier.format(source, { ...options, parser: "typescript" });
    if (existsSync(`${root}${path}`) && readFileSync(`${root}${path}`, "utf8") === wanted) continue;
    stale.push(path);
    if (!check) writeFileSync(`${root}${path}`, wanted);
  }
  return stale;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const check = process.argv.includes("--check");
  const stale = await generateRecording({ check });
  if (check && stale.length > 0) {
    console.error(
      `not what the table of primitives gives: ${stale.join(", ")}; run node scripts/generate-recording.mjs`,
    );
    process.exitCode = 1;
  }
}
