/**
 * The inverse of a coupling layer on the tape: x2 = y2 - g(y1), then x1 = y1 - f(x2). g and f run again on the rows that
 * they wrote in the first run, so that afterwards the primals of all the layer's nodes are there, and its rules can be
 * pulled back at once (Gomez et al. 2017, algorithm 1).
 */
import { algebraOf, elementsOf } from "../ops/array/recorder.js";
import { rowOf } from "../ops/array/lookup.js";
import type { NDArray } from "../tape/ndarray.js";
import { SEGMENT_BITS, SEGMENT_MASK } from "../tape/tape.js";
import type { Operand } from "../tape/traced.js";
import { BacksweepError } from "../trace/failure.js";
import { evaluate, type Half } from "./coupling.js";
import { nodeOf, type LayerRows } from "./layer-rows.js";
import type { Region } from "./regions.js";
import { replayPart } from "./replay-step.js";
import { valueOf, type Form } from "./state.js";

/**
 * @param value the state behind the layer
 * @throws BacksweepError `replay` where f or g records another program than in the first run
 */
export function invertLayer(region: Region, layers: LayerRows, step: number, value: unknown): void {
  const [y1, y2] = value as readonly [Half, Half];
  const x2 = takeBack(region, step, 1, minus(region, y2, part(region, layers, step, "g", y1)));
  takeBack(region, step, 0, minus(region, y1, part(region, layers, step, "f", x2)));
}

/** f or g of a half once more. */
function part(region: Region, layers: LayerRows, step: number, which: "f" | "g", half: Half): Half {
  const { layer } = layers;
  const rows = layers.of(which, step);
  const made = replayPart(region, step, rows, layers.timeOf(step), () => evaluate(layer, which, half, step));
  if (nodeOf(made) === rows.result) return made;
  throw new BacksweepError(
    "replay",
    `${region.name}: ${which} of layer ${step} returns another value in the inverse than in the first run: a layer must do the same whenever it runs`,
    layer.site,
  );
}

function minus({ recorder }: Region, a: Half, b: Half): NDArray {
  const operands = [a, b].map((half) => elementsOf(half as Operand));
  return algebraOf(recorder).evaluate(rowOf("sub"), operands, {});
}

/** Puts half number `half` of the state before the layer where it was; a value that is still there stays as it is. */
function takeBack(region: Region, step: number, half: number, value: NDArray): Half {
  const { tape } = region.recorder;
  const { ids, constants } = region.state(step);
  const node = ids[half];
  for (const observer of region.regions.observers) observer.inverted?.(region, step, half, node, value);
  if (node >= 0 && region.leaves(step).includes(node) && !region.regions.primals!.isHeld(node)) {
    const record = tape.arrays.get(node);
    if (record !== undefined && record.value !== null) tape.arrays.set(node, { ...record, value });
    else tape.segments[node >>> SEGMENT_BITS].value[node & SEGMENT_MASK] = value.data[0];
  }
  const form = (region.body.form(step) as Form & { readonly kind: "array" }).items[half];
  const leaf = {
    ids: Int32Array.of(node),
    constants: new Map(node < 0 ? [[0, constants.get(half)]] : []),
  };
  return valueOf(form, leaf, tape) as Half;
}
