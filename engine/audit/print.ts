/** A graph as the text of a runnable graph definition: explicit calls, or the seed's tape where an operation is the user's. */
import { toNested } from "../tape/ndarray.js";
import * as calls from "../graph/calls.js";
import { indexMap, type AuditGraph, type AuditInput, type Truth } from "./graph.js";
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

/**
 * TypeScript text that exports the graph as `name`; running it gives the right gradient. An operation of the user's own
 * is its local derivatives: in a tape as they are, on arrays as the linear function that has them and the value.
 */
export function definitionText(
  graph: AuditGraph,
  operations: readonly AuditOperation[],
  truth: Truth,
  name = "smallest",
  asTape = false,
): string {
  const own = graph.steps.some(({ op }) => !isCalled(operations[op]));
  const scalars = truth.nodes.every(({ shape }) => shape.length === 0);
  if (asTape || (own && scalars)) return tapeText(graph, truth, name);
  return callsText(graph, operations, truth, name);
}

/** A number, or nested arrays, as written: JSON has no word for some numbers. */
function literal(data: ArrayLike<number>, shape: readonly number[]): string {
  const text = (value: unknown): string =>
    Array.isArray(value) ? `[${value.map(text).join(", ")}]` : number(value as number);
  return shape.length === 0 ? number(data[0]) : text(toNested({ shape, data: Float64Array.from(data) }));
}

/** There is a function of that name to call; operators alone (`2 ** x`) have none. */
const isCalled = ({ name, kind, call }: AuditOperation): boolean =>
  call !== null && (kind !== "elementwise" || Object.hasOwn(calls, name));

/** An operation as it is called here, and the functions that takes. */
interface Call {
  readonly text: string;
  readonly imports: readonly string[];
}

/** `sum` and `mean` are methods of arrays; a number has none, and is its own sum. */
function reduced(kind: "sum" | "mean", operand: string, shape: readonly number[]): Call {
  if (shape.length > 0) return { text: `${operand}.${kind}()`, imports: [] };
  return { text: `mul(${operand}, 1)`, imports: ["mul"] };
}

/** y + y'(x) (x - x0), with numbers in place of the point, the value and the derivatives. */
function linear(graph: AuditGraph, truth: Truth, v: number, args: readonly string[]): Call {
  const { value, shape } = truth.nodes[v];
  const rest = Float64Array.from(value);
  const { operands } = graph.steps[v - graph.inputs.length];
  const terms = operands.map((p, slot) => {
    const local = truth.edges.find((edge) => edge.from === v && edge.slot === slot)?.local;
    const factor = local ?? new Float64Array(value.length);
    const map = indexMap(truth.nodes[p].shape, shape);
    for (let i = 0; i < rest.length; i++) rest[i] -= factor[i] * truth.nodes[p].value[map(i)];
    return `mul(${args[slot]}, ${literal(factor, shape)})`;
  });
  const sum = terms.reduce((left, right) => `add(${left}, ${right})`);
  return { text: `add(${sum}, ${literal(rest, shape)})`, imports: ["mul", "add"] };
}

function callOf(
  graph: AuditGraph,
  operations: readonly AuditOperation[],
  truth: Truth,
  v: number,
  names: readonly string[],
): Call {
  const { op, operands } = graph.steps[v - graph.inputs.length];
  const { name, kind } = operations[op];
  const args = operands.map((p) => names[p]);
  if (!isCalled(operations[op])) return linear(graph, truth, v, args);
  if (kind === "sum" || kind === "mean") return reduced(kind, args[0], truth.nodes[operands[0]].shape);
  return { text: `${name}(${args.join(", ")})`, imports: [name] };
}

/** One list of numbers would be as many inputs. */
function inputOf({ shape, data }: AuditInput): Call {
  const text = literal(data, shape);
  return shape.length === 0 || shape.length === 2
    ? { text, imports: [] }
    : { text: `tensor(${text})`, imports: ["tensor"] };
}

function callsText(
  graph: AuditGraph,
  operations: readonly AuditOperation[],
  truth: Truth,
  name: string,
): string {
  const names = nodeNames(graph);
  const given = graph.inputs.map(inputOf);
  const inputs = given.map(({ text }, i) => `${names[i]}: ${text}`);
  const first = graph.inputs.length;
  const made = graph.steps.map((_, i) => callOf(graph, operations, truth, first + i, names));
  const lines = made.map(({ text }, i) => `  const ${names[first + i]} = ${text};`);
  const imports = [
    ...new Set(["graph", ...given.flatMap((one) => one.imports), ...made.flatMap((call) => call.imports)]),
  ].join(", ");
  const point = names.slice(0, first).join(", ");
  const scalars = graph.inputs.every(({ shape }) => shape.length === 0);
  const options = graph.seed === 1 || !scalars ? "" : `, { cotangent: ${number(graph.seed)} }`;
  return [
    `import { ${imports} } from "backsweep";`,
    "",
    `export const ${name} = graph({ ${inputs.join(", ")} }, ({ ${point} }) => {`,
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
