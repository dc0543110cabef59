/** A module of which some exports are wrong: the others are used, and each wrong one is told at its place. */
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Runner } from "../../../runner/client.js";
import type { AuditSuccess } from "../../../runner/audit-messages.js";
import type { AnalysisSuccess, RunFailure, RunRequest, RunResult } from "../../../runner/messages.js";
import { buildForTest, type Built, folderOf, quietRunner } from "./built.js";

let built: Built;
let runner: Runner;
const folders: { dispose(): void }[] = [];

beforeAll(async () => {
  built = await buildForTest();
  runner = quietRunner(built);
});
afterEach(() => folders.splice(0).forEach((folder) => folder.dispose()));
afterAll(() => {
  runner?.dispose();
});

function request(name: string, text: string): RunRequest {
  const folder = folderOf({ [name]: text });
  folders.push(folder);
  return {
    file: join(folder.path, name),
    root: folder.path,
    options: {},
    timeoutMs: 60_000,
    memoryBytes: 256 * 2 ** 20,
    allowImports: false,
    layout: false,
  };
}

const graphs = `import { gradient, graph, tape } from "backsweep";
export const text = graph({ x: "2" as never }, ({ x }) => x);
export const square = graph({ x: 3 }, ({ x }) => x * x);
export const nothing = graph({ x: 2 }, 3 as never);
export const late = tape([{ value: 3, parents: [[1, 2]] }]);
export const uses = graph({ x: 2 }, ({ x }) => x * (gradient(nothing) as { x: number }).x);
export const sum = graph({ x: 3 }, ({ x }) => x + x);
`;

describe("graphs beside one whose definition is wrong", () => {
  it("are checked, and each wrong one is told at its place", async () => {
    const answer = (await runner.analyse<"check">({
      ...request("a.graph.ts", graphs),
      analysis: { kind: "check" },
      everyGraph: true,
    })) as AnalysisSuccess<"check">;
    expect(answer.graphs).toEqual(["text", "square", "nothing", "late", "uses", "sum"]);
    const rows = answer.analysed.map(({ graph, failure }) => [graph, failure?.line, failure?.message]);
    expect(rows).toEqual([
      ["text", 2, expect.stringContaining('input "x" is the string "2"')],
      ["square", undefined, undefined],
      ["nothing", 4, "graph(inputs, fn): the second argument must be a function"],
      ["late", 5, expect.stringContaining("tape: node 0 names parent 1")],
      ["uses", 4, "graph(inputs, fn): the second argument must be a function"],
      ["sum", undefined, undefined],
    ]);
  });

  it("are run by name; the wrong one is told when it is asked for, by name or as the first", async () => {
    const run = (graph?: string): Promise<RunResult> => {
      const asked = request("a.graph.ts", graphs);
      return runner.run({ ...asked, options: graph === undefined ? {} : { graph } });
    };
    const good = await run("sum");
    expect(good.ok && good.report.gradient).toEqual({ x: 2 });
    for (const name of ["text", undefined]) {
      const { failure } = (await run(name)) as RunFailure;
      expect(failure).toMatchObject({ kind: "definition", line: 2, column: 21 });
    }
  });

  it("a wrong one that is not exported and not used is nobody's business; used, it is told", async () => {
    const hidden = graphs.replace("export const text", "const text");
    const good = await runner.run(request("a.graph.ts", hidden));
    expect(good.ok && good.report.graph).toBe("square");
    const bad = await runner.run(request("a.graph.ts", `${hidden}console.log(gradient(text));\n`));
    expect(!bad.ok && bad.failure).toMatchObject({ kind: "definition", line: 2 });
  });
});

const engine = `import { audit, auditSweep } from "backsweep";
class Value {
  grad = 0;
  back = () => {};
  constructor(readonly data: number, readonly parents: Value[] = []) {}
}
const leaf = (data: number) => new Value(data);
const gradient = (node: Value) => node.grad;
const backward = (output: Value) => {
  const order: Value[] = [];
  const visit = (node: Value) => {
    if (order.includes(node)) return;
    node.parents.forEach(visit);
    order.push(node);
  };
  visit(output);
  output.grad = 1;
  order.reverse().forEach((node) => node.back());
};
const multiply = (assign: boolean) => (a: Value, b: Value) => {
  const out = new Value(a.data * b.data, [a, b]);
  out.back = () => {
    if (assign) {
      a.grad = b.data * out.grad;
      b.grad = a.data * out.grad;
    } else {
      a.grad += b.data * out.grad;
      b.grad += a.data * out.grad;
    }
  };
  return out;
};
const mul = multiply(false);
const wrong = multiply(true);
const twice = (a: Value) => {
  const out = new Value(a.data * a.data, [a]);
  out.back = () => { a.grad += a.data * out.grad; };
  return out;
};
`;

async function audits(definitions: string): Promise<AuditSuccess> {
  return (await runner.audit({
    ...request("a.audit.ts", engine + definitions),
    audit: { cases: 60, seed: 0 },
  })) as AuditSuccess;
}

describe("audits", () => {
  it("come in the order of the text, beside adapters that are wrong, which are told by name and place", async () => {
    const first = engine.split("\n").length;
    const { engines, audited } = await audits(
      [
        "export const zeta = audit({ leaf, backward, gradient, operations: { mul } });",
        "export const misspelt = audit({ leaf, backward, gradient, operations: { mull: mul } });",
        "export const half = audit({ leaf, backward, operations: { mul } } as never);",
        'export const nameless = audit({ leaf, backward, gradient, operations: { mul, "": mul } });',
        "export const none = auditSweep(3 as never);",
        "export const alpha = audit({ leaf, backward, gradient, operations: { mul } });",
      ].join("\n"),
    );
    expect(engines).toEqual(["zeta", "misspelt", "half", "nameless", "none", "alpha"]);
    expect(
      audited.map((one) =>
        one.failure === null ? one.result.verdict : [one.failure.line, one.failure.message],
      ),
    ).toEqual([
      "clean",
      [
        first + 1,
        'misspelt: audit: "mull" is no primitive of the table; did you mean "mul"? Otherwise give its derivatives: { apply, value, locals }',
      ],
      [first + 2, "half: audit: gradient must be a function"],
      [first + 3, "nameless: audit: an operation has an empty name"],
      [first + 4, "none: auditSweep((tape, seed) => cotangents): the argument must be a function"],
      "clean",
    ]);
  });

  it("an operation made of others does not hide what the others do", async () => {
    const { audited } = await audits(
      [
        "export const both = audit({ leaf, backward, gradient, operations: { mul: wrong, square: (a) => wrong(a, a) } });",
        "export const alone = audit({ leaf, backward, gradient, operations: { square: (a) => wrong(a, a) } });",
        "export const cube = audit({ leaf, backward, gradient, operations: { cube: { apply: (a) => wrong(wrong(a, a), a), value: (a) => a ** 3, locals: (a) => [3 * a * a] } } });",
        "export const rule = audit({ leaf, backward, gradient, operations: { mul, square: twice } });",
        "export const right = audit({ leaf, backward, gradient, operations: { square: (a) => mul(a, a) } });",
      ].join("\n"),
    );
    const said = audited.map((one) => (one.failure === null ? one.result.fault : one.failure));
    expect(said).toMatchObject([
      { class: "overwrite", detail: "within square" },
      { class: "overwrite", detail: "within square", operations: ["square"] },
      { class: "overwrite", detail: "within cube" },
      { class: "wrong local derivative", operations: ["square"] },
      null,
    ]);
  });
});
