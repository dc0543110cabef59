/**
 * Text of engine/recording/second-order.ts: tangents forward along a recording, then a reverse sweep of cotangents and of
 * their tangents (Griewank and Walther 2008, section 5.2).
 *
 * Both stand in the column of contributions, which such a sweep does not keep: the tangent of node i at 2 i, that of its
 * cotangent at 2 i + 1. In either, -0 says that no direction reaches the node; sums never come to it, because what is added
 * first is never -0 (`+ 0`). So a term that is not there is -0, which adds nothing, and needs no branch.
 */
import { OPERANDS, reads, Rows } from "./rows.mjs";

const REFERENCES = ["a", "b"];
const TANGENTS = ["tx", "ty", "tz"];
const MOVES = ["mx", "my", "mz"];

/** what calls a function */
const COSTLY = /Math\.\w+\(|_\w+\(/;

const reference = (row, slot) => (row.arity === 3 ? `${OPERANDS[slot]}r` : REFERENCES[slot]);

/** Declares what the text reads: operands, the output, references of a primitive of three. */
function head(row, text) {
  const out = [];
  for (let slot = 0; slot < row.arity; slot++) {
    const r = reference(row, slot);
    if (row.arity === 3) out.push(`const ${r} = args.at(a + ${slot});`);
    if (reads(text, OPERANDS[slot])) out.push(`const ${OPERANDS[slot]} = value[${r} & mask];`);
  }
  if (reads(text, "v")) out.push("const v = value[i];");
  return out.join("\n");
}

/** Slots' local derivatives where those are multiplied with, and the text of `slope * x` or of the slot's own rule. */
function slopes(rows, row, code) {
  const declared = [];
  const times = [];
  for (let slot = 0; slot < row.arity; slot++) {
    if (rows.vjp(code, slot, "g") !== null) {
      times.push((x) => rows.vjp(code, slot, x));
      continue;
    }
    const local = rows.local(code, slot);
    // what is called is called once for both sweeps
    if (COSTLY.test(local)) {
      const guard = row.arity > 1 ? `${reference(row, slot)} >= 0 ? ${local} : 0` : local;
      declared.push(`const s${slot} = ${guard};`);
      times.push((x) => `${x} * s${slot}`);
    } else times.push((x) => `${x} * (${local})`);
  }
  return { declared, times };
}

function forward(rows, row, code) {
  const { times, declared } = slopes(rows, row, code);
  const terms = times.map((of, slot) => (rows.idle(code, slot) ? null : of("t")));
  const live = terms.flatMap((term, slot) => (term === null ? [] : [{ term, slot }]));
  if (live.length === 0) return `case ${code}: continue;`;
  const text = [...declared, ...live.map(({ term }) => term)].join(" ");
  if (row.arity === 1) {
    return `case ${code}: {
      const t = lane[(2 * a) & mask2];
      if (t === 0 && 1 / t < 0) continue;
      ${head(row, text)}
      ${declared.join("\n")}
      lane[2 * i] = ${live[0].term} + 0;
      continue;
    }`;
  }
  const steps = live.map(
    ({ term, slot }) => `{
      const t = lane[(2 * ${reference(row, slot)}) & mask2];
      if (t !== 0 || 1 / t > 0) sum = sum + (${term} + 0);
    }`,
  );
  return `case ${code}: {
    ${head(row, text)}
    ${declared.join("\n")}
    let sum = -0;
    ${steps.join("\n")}
    lane[2 * i] = sum;
    continue;
  }`;
}

/** Second partials that are not zero throughout: of slots s and t, s <= t. */
function curves(rows, row, code) {
  const out = [];
  let k = 0;
  for (let s = 0; s < row.arity; s++) {
    for (let t = s; t < row.arity; t++) {
      const rule = rows.second(code, k++);
      if (rule !== null) out.push({ s, t, rule });
    }
  }
  return out;
}

/** `g` times a second partial; 0 where the piece taken is straight, or an infinite cotangent would make NaN of it. */
function weight(rule, index) {
  const literal = /^\d+$/.test(rule);
  const name = `w${index}`;
  if (literal) return { name, text: `const ${name} = ${rule === "1" ? "g" : `${rule} * g`};` };
  return { name, text: `const c${index} = ${rule}; const ${name} = c${index} === 0 ? 0 : g * c${index};` };
}

function reverse(rows, row, code) {
  const { times, declared } = slopes(rows, row, code);
  const found = curves(rows, row, code);
  const slots = Array.from({ length: row.arity }, (_, slot) => slot);
  const idle = slots.map((slot) => rows.idle(code, slot));
  // a derivative in a constant may cost a logarithm, and is none of a node's
  const guarded = (text, slot) =>
    row.arity > 1 && COSTLY.test(text) ? `${reference(row, slot)} >= 0 ? ${text} : 0` : text;
  const out = [...declared];
  const NAMES = ["p", "q", "r"];
  slots.forEach((slot) => out.push(`const ${NAMES[slot]} = ${guarded(times[slot]("g"), slot)};`));
  const curved = (slot) => found.some(({ s, t }) => s === slot || t === slot);
  const still = slots.map((slot) => idle[slot] && !curved(slot));
  slots.forEach((slot) => !still[slot] && out.push(`let d${slot} = -0;`));
  const turned = slots.filter((slot) => !idle[slot]);
  if (turned.length > 0)
    out.push(
      `if (turns) { ${turned.map((slot) => `d${slot} = (${guarded(times[slot]("h"), slot)}) + 0;`).join(" ")} }`,
    );
  const moving = [...new Set(found.flatMap(({ s, t }) => [s, t]))].sort();
  for (const slot of moving) {
    out.push(`const ${TANGENTS[slot]} = lane[(2 * ${reference(row, slot)}) & mask2];`);
    out.push(`const ${MOVES[slot]} = ${TANGENTS[slot]} !== 0 || 1 / ${TANGENTS[slot]} > 0;`);
  }
  found.forEach(({ s, t, rule }, index) => {
    const { name, text } = weight(rule, index);
    if (s === t) {
      out.push(`if (${MOVES[s]}) { ${text} d${s} = d${s} + (${name} * ${TANGENTS[s]} + 0); }`);
      return;
    }
    // what is handed to a constant is of no use; it may cost a logarithm
    const nodes = `${reference(row, s)} >= 0 && ${reference(row, t)} >= 0`;
    out.push(`if ((${MOVES[s]} || ${MOVES[t]}) && ${nodes}) { ${text}
      if (${MOVES[t]}) d${s} = d${s} + (${name} * ${TANGENTS[t]} + 0);
      if (${MOVES[s]}) d${t} = d${t} + (${name} * ${TANGENTS[s]} + 0);
    }`);
  });
  const body = out.join("\n");
  const pay = slots
    .map((slot) => {
      const r = reference(row, slot);
      const index = `(2 * ${r} + 1) & mask2`;
      const tangent = still[slot] ? "" : `lane[${index}] = lane[${index}] + d${slot};`;
      const text = `bar[${r} & mask] = bar[${r} & mask] + 0 + ${NAMES[slot]}; ${tangent}`;
      return row.arity === 3 ? `if (${r} >= 0) { ${text} }` : text;
    })
    .join("\n");
  return `case ${code}: { ${head(row, body)} ${body} ${pay} continue; }`;
}

export function secondOrderText(primitives) {
  const rows = new Rows(primitives);
  const ahead = primitives.map((row, code) => forward(rows, row, code));
  const back = primitives.map((row, code) => reverse(rows, row, code));
  return `/**
 * Generated by scripts/generate-recording.mjs from the table of primitives; do not edit.
 *
 * Forward over reverse along a recording (Griewank and Walther 2008, section 5.2; Pearlmutter 1994). Tangents stand in the
 * column of contributions: that of node i at 2 i, that of its cotangent at 2 i + 1; -0 says that there is none.
 */
import { primitives } from "../ops/table.js";
import type { Ints } from "../tape/growable.js";
import { OP_CUT } from "../tape/tape.js";
import type { Columns } from "./columns.js";

/* Rules that are more than an expression. */
${rows.called.join("\n")}

/** Tangents of the nodes before \`end\`. Those of inputs are there already; all others are -0. */
export function pushTangents(memory: Columns, args: Ints, end: number): void {
  const { op, a: first, b: second, value, contribution: lane, mask } = memory;
  const mask2 = 2 * mask + 1;
  for (let i = 0; i < end; i++) {
    const code = op[i];
    if (code >= OP_CUT) continue;
    const a = first[i];
    const b = second[i];
    switch (code) {
      ${ahead.join("\n")}
    }
  }
}

/** Cotangents, and their tangents, from node \`start\` down. */
export function pullTangents(memory: Columns, args: Ints, start: number): void {
  const { op, a: first, b: second, value, cotangent: bar, contribution: lane, mask } = memory;
  const mask2 = 2 * mask + 1;
  for (let i = start; i >= 0; i--) {
    const code = op[i];
    if (code >= OP_CUT) continue;
    const g = bar[i];
    // -0: nothing has arrived
    if (g === 0 && 1 / g < 0) continue;
    const h = lane[2 * i + 1];
    const turns = h !== 0 || 1 / h > 0;
    const a = first[i];
    const b = second[i];
    switch (code) {
      ${back.join("\n")}
    }
  }
}
`;
}
