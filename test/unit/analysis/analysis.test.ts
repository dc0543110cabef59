/** The table of analyses: what is asked reaches its kind, and every answer can cross a thread. */
import { describe, expect, it } from "vitest";
import { analyse, type Analysis } from "../../../engine/analysis/analysis.js";
import { subjectOf } from "../../../engine/graph/complete.js";
import { pack, Unpacker, bytesOf } from "../../../engine/trace/columns.js";
import { add, custom, graph, mul, type GraphDefinition } from "../../../engine/index.js";

const twice = custom({ name: "twice", forward: (x) => 2 * x, vjp: (g) => 2 * g });
const definition = graph({ x: 2, y: 3 }, ({ x, y }) => {
  const a = mul(x, y);
  return mul(add(a, twice(x)), mul(a, y));
}) as unknown as GraphDefinition;

const asked: readonly Analysis[] = [{ kind: "check" }, { kind: "steps", input: "x" }];

describe("an analysis", () => {
  it.each(asked)("$kind answers with plain data, the same each time", (analysis) => {
    const subject = subjectOf(definition, undefined);
    const result = analyse(subject, analysis as never) as object;
    expect(structuredClone(result)).toEqual(result);
    expect(analyse(subject, analysis as never)).toEqual(result);
    // through the pipe of the runner: a tree and its columns
    const { packed, columns } = pack(result);
    const unpacker = new Unpacker(packed);
    for (const column of columns) unpacker.take(bytesOf(column));
    expect(unpacker.value()).toEqual(result);
  });

  it("evaluates at the settings' inputs", () => {
    const subject = subjectOf(definition, { x: 5 });
    const result = analyse(subject, { kind: "check" });
    expect(result.at).toEqual({ x: 5, y: 3 });
  });
});
