/** A graph as the text of a runnable graph definition: explicit calls, or the seed's tape where an operation is the user's. */
import { toNested } from "../tape/ndarray.js";
import type { AuditGraph, Truth } from "./graph.js";
import type { AuditOperation } from "./operations.js";

const letters = "abcdefghijklmnopqrstuvw";

/** Names of nodes: inputs x, y, z, then x3, ...; steps a, b, c, ...; the output L. */
export function nodeNames(graph: AuditGraph): string[] {
  const inputs = graph.inputs.map((_, i) => (i < 3 ? "xyz"[i] : `x${i}`));
  let next = 0;
  const steps = graph.steps.map((_, i) => {
    const v = graph.inputs.length + i;
    if (v === graph.output) return "L";
    const letter = letters[next % letters.length];
    const round = Math.floor(next++ / letters.length);
    return round === 0 ? letter : `${letter}${round}`;
  });
  return [...inputs, ...steps];
}

function number(x: number): string {
  return Object.is(x, -0) ? "-0" : String(x);
}

/** TypeScript text that exports the graph as `name`; running it gives the right gradient. */
export function definitionText(
  graph: AuditGraph,
  operations: readonly AuditOperation[],
  truth: Truth,
  name = "smallest",
  asTape = false,
): string {
  const used = [...new Set(graph.steps.map(({ op }) => op))].map((op) => operations[op]);
  if (asTape || used.some(({ call }) => call === null)) return tapeText(graph, truth, name);
  return callsText(graph, operations, used, name);
}

function callsText(
  graph: AuditGraph,
  operations: readonly AuditOperation[],
  used: readonly AuditOperation[],
  name: string,
): string {
  const names = nodeNames(graph);
  const inputs = graph.inputs.map(({ shape, data }, i) => {
    const value =
      shape.length === 0
        ? number(data[0])
        : JSON.stringify(toNested({ shape, data: Float64Array.from(data) }));
    return `${names[i]}: ${value}`;
  });
  const lines = graph.steps.map(({ op, operands }, i) => {
    const args = operands.map((v) => names[v]).join(", ");
    return `  const ${names[graph.inputs.length + i]} = ${operations[op].name}(${args});`;
  });
  const imports = ["graph", ...used.map((op) => op.name)].join(", ");
  const given = names.slice(0, graph.inputs.length).join(", ");
  const scalars = graph.inputs.every(({ shape }) => shape.length === 0);
  const options = graph.seed === 1 || !scalars ? "" : `, { cotangent: ${number(graph.seed)} }`;
  return [
    `import { ${imports} } from "backsweep";`,
    "",
    `export const ${name} = graph({ ${inputs.join(", ")} }, ({ ${given} }) => {`,
    ...lines,
    `  return ${names[graph.output]};`,
    `}${options});`,
    "",
  ].join("\n");
}

function tapeText(graph: AuditGraph, truth: Truth, name: string): string {
  const names = nodeNames(graph);
  // a tape ends with its output
  const rows = truth.nodes.slice(0, graph.output + 1).map(({ value }, v) => {
    const edges = truth.edges.filter((edge) => edge.from === v).sort((a, b) => a.slot - b.slot);
    const parents = edges.map(({ to, local }) => `[${to}, ${number(local[0])}]`);
    const list = parents.length === 0 ? "" : `, parents: [${parents.join(", ")}]`;
    return `  { name: "${names[v]}", value: ${number(value[0])}${list} },`;
  });
  return ['import { tape } from "backsweep";', "", `export const ${name} = tape([`, ...rows, "]);", ""].join(
    "\n",
  );
}
