/** A text of any length for the benchmarks of the lint while one types. */

/** `lines` lines of an engine that is right, every operation of another kind of closure. */
export function engine(lines) {
  const out = [
    "export class Value {",
    "  grad = 0;",
    "  backwardStep: () => void = () => {};",
    "  constructor(readonly data: number, readonly inputs: readonly Value[] = []) {}",
    "  backward(): void {",
    "    const order: Value[] = [];",
    "    const seen = new Set<Value>();",
    "    const visit = (node: Value): void => {",
    "      if (seen.has(node)) return;",
    "      seen.add(node);",
    "      node.inputs.forEach(visit);",
    "      order.push(node);",
    "    };",
    "    visit(this);",
    "    this.grad = 1;",
    "    for (const node of order.reverse()) node.backwardStep();",
    "  }",
    "}",
  ];
  for (let k = 0; out.length < lines; k++)
    out.push(
      `export function op${k}(a: Value, b: Value): Value {`,
      `  const left = Math.sin(a.data * ${k + 1});`,
      `  const right = Math.exp(-b.data / ${k + 1});`,
      "  const out = new Value(left * right, [a, b]);",
      "  out.backwardStep = () => {",
      `    const da = ${k + 1} * Math.cos(a.data * ${k + 1}) * right;`,
      `    const db = (-left * right) / ${k + 1};`,
      "    a.grad += da * out.grad;",
      "    b.grad += db * out.grad;",
      "  };",
      "  return out;",
      "}",
    );
  return out.slice(0, out.length).join("\n");
}
