/** Text of the sweep and the replay over a recording: one switch each, with the rows' expressions in it. */
import { CALL, choice, OPERANDS, reads } from "./rows.mjs";

/** Class text. `m` says how the memory and the counters are reached. */
export function classText(rows, m) {
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
    // comparisons, which are short: the host's compiler inlines functions up to a length in all
    const bad = two
      ? `a >= i || b >= i || a < ${m.low} || b < ${m.low} || i > ${m.last} || (a | 0) !== a || (b | 0) !== b`
      : `a >= i || a < ${m.low} || i > ${m.last} || (a | 0) !== a`;
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
          ${m.cotangent}[${OPERANDS[slot]}r] = ${m.cotangent}[${OPERANDS[slot]}r] + 0 + c;
        }`,
      );
      return `${head.join("\n")} ${slots.join("\n")} continue;`;
    }
    if (row.arity === 1) {
      if (reads(all, "x")) head.push(`const x = ${operand("a")};`);
    } else {
      if (reads(all, "x")) head.push(`const x = ${operand("a")};`);
      if (reads(all, "y")) head.push(`const y = ${operand("b")};`);
    }
    if (reads(all, "v")) head.push(`const v = ${m.value}[${at("i")}];`);
    if (row.arity === 1) {
      return `${head.join("\n")}
        p = ${pulls[0]};
        ${m.contribution}[(2 * i) & ${m.mask2}] = p;
        ${m.cotangent}[${at("a")}] = ${m.cotangent}[${at("a")}] + 0 + p;
        continue;`;
    }
    // a derivative in a constant may cost a logarithm, and is none of a node's
    const guarded = (pull, handle) => (CALL.test(pull) ? `${handle} >= 0 ? ${pull} : 0` : pull);
    return `${head.join("\n")}
      p = ${guarded(pulls[0], "a")};
      q = ${guarded(pulls[1], "b")};`;
  });
  out.push(`protected override reverse(start: number, end: number): void {
    ${m.sweep}
    for (let i = start; i >= end; i--) {
      const code = ${m.op}[${at("i")}];
      if (code >= OP_CUT) continue;
      const g = ${m.cotangent}[${at("i")}];
      // -0: nothing has arrived. No sum is -0, since \`+ 0\` makes 0 of a -0 that was there
      if (g === 0 && 1 / g < 0) continue;
      const a = ${m.a}[${at("i")}];
      const b = ${m.b}[${at("i")}];
      let p: number;
      let q: number;
      ${choice(primitives, back, "throw this.wrong(`opcode ${code} has no derivative rule`);")}
      ${m.contribution}[(2 * i) & ${m.mask2}] = p;
      ${m.contribution}[(2 * i + 1) & ${m.mask2}] = q;
      ${m.cotangent}[${at("a")}] = ${m.cotangent}[${at("a")}] + 0 + p;
      ${m.cotangent}[${at("b")}] = ${m.cotangent}[${at("b")}] + 0 + q;
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
    return `${head.join(" ")} ${m.value}[${at("i")}] = ${value};`;
  });
  out.push(`protected override forward(start: number, end: number): void {
    ${m.replay}
    for (let i = start; i < end; i++) {
      const code = ${m.op}[${at("i")}];
      if (code >= OP_CUT) continue;
      const a = ${m.a}[${at("i")}];
      const b = ${m.b}[${at("i")}];
      ${choice(primitives, ahead, "throw this.wrong(`opcode ${code} has no value rule`);")}
    }
  }`);
  return out.join("\n");
}
