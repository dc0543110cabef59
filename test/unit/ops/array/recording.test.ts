import { describe, expect, it } from "vitest";
import { graph, gradient, sweep, type Tensor } from "../../../../engine/index.js";
import { rounder } from "../../../../engine/ops/dtype.js";
import { Recorder } from "../../../../engine/ops/recorder.js";
import { copyArray } from "../../../../engine/ops/array/recorder.js";
import { RecordingAlgebra } from "../../../../engine/ops/array/recording.js";
import { placed, ThirdDerivative } from "../../../../engine/ops/array/third-derivative.js";
import { OP_ARRAY, Tape } from "../../../../engine/tape/tape.js";
import { isTensor, Tensor as Handle } from "../../../../engine/tape/tensor.js";
import { isTraced } from "../../../../engine/tape/traced.js";

const plain = (...data: number[]): Handle =>
  new Handle({ shape: [data.length], data: Float64Array.from(data) });

describe("the algebra of traced arrays", () => {
  it("records what has a traced operand, at its place, and tells of it", () => {
    const recorder = new Recorder(new Tape(), null);
    const k = new RecordingAlgebra(recorder);
    const seen: unknown[] = [];
    k.onRecorded = (made) => seen.push(made);
    k.site = 7;
    const x = copyArray(recorder, plain(1, 2), 3, 0);
    const y = k.mul(x, plain(3, 4));
    const sum = k.sum(y);
    expect(k.shape(y)).toEqual([2]);
    expect(k.shape(sum)).toEqual([]);
    expect([isTensor(y), isTraced(sum)]).toEqual([true, true]);
    expect(seen).toEqual([y, sum]);
    const { tape } = recorder;
    expect([tape.length, tape.opAt(1), tape.siteAt(1), tape.valueAt(2)]).toEqual([3, OP_ARRAY, 7, 11]);
    // one that changes nothing is none
    expect(k.reshape(y, [2])).toBe(y);
    expect(tape.length).toBe(3);
  });

  it("computes what has none, in the recording's number format", () => {
    const recorder = new Recorder(new Tape(), rounder("f32"));
    const k = new RecordingAlgebra(recorder);
    const third = k.div(k.number(1), k.number(3));
    expect(third).toBe(Math.fround(1 / 3));
    expect((k.add(plain(0.1), 0.2) as Handle).toArray()).toEqual([Math.fround(0.1 + Math.fround(0.2))]);
    expect(recorder.tape.length).toBe(0);
  });

  it("rounds what a sweep inside a graph records", () => {
    const f = (v: Tensor): number => v.mul(v).mul(v).sum();
    const g = graph({ v: Float64Array.of(0.1, 1.7) }, ({ v }) => gradient(f, v).sum(), { dtype: "f32" });
    const { trace } = sweep(g);
    const { mean } = trace.values;
    for (let node = 0; node < trace.nodes.n; node++) {
      const value = mean[trace.nodes.value[node]];
      if (trace.arrays === undefined || !Array.from(trace.arrays.value).includes(trace.nodes.value[node]))
        expect(Math.fround(value)).toBe(value);
    }
    expect(Array.from(trace.arrays!.data).every((x) => Math.fround(x) === x)).toBe(true);
  });
});

describe("a third derivative", () => {
  it("is refused at the place of the innermost operation, other errors pass", () => {
    const refuse = (): never => {
      throw new ThirdDerivative("elu");
    };
    expect(() => placed(9, () => placed(5, refuse))).toThrow(
      expect.objectContaining({ kind: "no-rule", site: 5, message: expect.stringContaining("elu: third") }),
    );
    const other = new Error("other");
    expect(() =>
      placed(5, () => {
        throw other;
      }),
    ).toThrow(other);
    expect(placed(5, () => 4)).toBe(4);
  });
});
