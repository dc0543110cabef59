/** Text of the sweep and the replay over a recording: one switch each, with the rows' expressions in it. */
import { OPERANDS, reads } from "./rows.mjs";

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
