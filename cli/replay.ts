/** `backsweep replay`. */
import type { PlacedMismatch, Place, ReplayResult } from "../engine/analysis/replay.js";
import type { ContractPoint } from "../engine/replay/mismatch.js";
import type { AnalysisCommand, Page } from "./command.js";
import { remarkRows, remarks } from "./remarks.js";
import { alignColumns, count, grouped, show, type Style } from "./style.js";
import { parseAccumulate, parseChoice } from "./values.js";

const names: Readonly<Record<ContractPoint, string>> = {
  format: "format and accumulation",
  random: "random numbers",
  state: "mutable state",
  decision: "decisions",
  write: "writes",
};

/** The first mismatch of each point, a branch before what led to it. */
function firstOfEach({ mismatches }: ReplayResult): PlacedMismatch[] {
  const order: readonly ContractPoint[] = ["decision", "format", "random", "state", "write"];
  return order.flatMap((point) => {
    const about = mismatches.filter((one) => one.point === point);
    const valued = about.find(({ step }) => step >= 0);
    // what is declared otherwise, and the first value it changes
    return about.slice(0, 1).concat(valued === undefined || valued === about[0] ? [] : [valued]);
  });
}

export const replay: AnalysisCommand<"replay"> = {
  name: "replay",
  usage: "FILE --schedule S",
  summary: "whether the replays of a schedule do what the first run did, checked by value",
  about: [
    "Every primal is compared with the first run's where a step is replayed, every draw and every decision on a traced value",
    "with those of the first run; the first that differs is named with its place, both values and their distance. The sweep",
    "goes on over what the replay computed, as long as it records the same operations, and its gradient is compared with",
    "store-all's. run --schedule makes the same comparison and stops at the first difference.",
  ],
  options: {
    stream: { value: "M", help: "matched | unmatched: every replay draws anew (default matched)" },
    "replay-dtype": {
      value: "T",
      help: "f64 | f32 | f16 | bf16: format of the replay (default: as --dtype)",
    },
    "replay-accumulate": {
      value: "M",
      help: "how the sweep over replays adds contributions (default: as --accumulate)",
    },
  },
  finding: "a replay does something else than the first run",
  read(values) {
    const dtype = values.text("replay-dtype");
    const accumulate = values.text("replay-accumulate");
    return {
      kind: "replay",
      stream: parseChoice("--stream", values.text("stream") ?? "matched", ["matched", "unmatched"] as const),
      dtype:
        dtype === undefined
          ? null
          : parseChoice("--replay-dtype", dtype, ["f64", "f32", "f16", "bf16"] as const),
      accumulate: accumulate === undefined ? null : parseAccumulate("--replay-accumulate", accumulate),
    };
  },
  *human(result, page) {
    yield* human(result, page);
    yield* remarks(result.notes, page.style, page.showPath);
  },
  json: (result, { showPath }) => {
    const shown = <T extends Place>(one: T): T => ({
      ...one,
      file: one.file === null ? null : showPath(one.file),
    });
    const { firstDerivativeMismatch: derivative, notes, ...rest } = result;
    return {
      ...rest,
      holds: !finding(result),
      mismatches: result.mismatches.map(shown),
      outside: result.outside.map(shown),
      firstDerivativeMismatch: derivative === null ? null : shown(derivative),
      notes: remarkRows(notes, showPath),
    };
  },
  isFinding: finding,
};

function finding({ mismatches, outside, distance, reversible, completed }: ReplayResult): boolean {
  if (mismatches.length > 0 || outside.length > 0 || !completed) return true;
  return distance !== null && !distance.equal && !reversible;
}

function* human(result: ReplayResult, page: Page): Generator<string> {
  const { style } = page;
  const { declared, compared, stream } = result;
  const dtype =
    declared.dtype === declared.replayDtype
      ? declared.dtype
      : `${declared.dtype}, replayed in ${declared.replayDtype}`;
  const accumulation =
    declared.accumulation === declared.replayAccumulation
      ? declared.accumulation
      : `${declared.accumulation}, over the replay ${declared.replayAccumulation}`;
  yield `schedule ${result.schedule}, values ${dtype}, contributions added by ${accumulation}\n`;
  yield `seed ${declared.seed}, ${stream} stream: ${count(declared.draws, "draw")}; ${count(declared.decisions, "decision")} on traced values\n`;
  yield `${count(compared.replays, "replay")} compared with the first run: ${count(compared.values, "primal")}, ${count(compared.draws, "draw")}, ${count(compared.decisions, "decision")}\n\n`;
  const regions = result.checkpoint?.regions ?? [];
  if (compared.replays === 0 && result.completed) yield style.dim("  nothing ran again\n");
  else if (result.completed && regions.every(({ kind }) => kind === "cut"))
    yield style.dim(
      "  recorded instructions ran again, not the graph function: draws, decisions and constants are the recorded ones\n",
    );
  const rows = result.points.map(({ point, holds, mismatches }) => [
    names[point],
    holds ? style.good("holds") : style.bad(count(mismatches, "mismatch", "mismatches")),
  ]);
  for (const cells of alignColumns(rows, [false, false])) yield `  ${cells.join("   ")}\n`;
  if (result.mismatches.length > 0) yield "\n";
  const shown = firstOfEach(result);
  for (const one of shown) yield* mismatch(one, page);
  const hidden = result.mismatches.length - shown.length + result.more;
  if (hidden > 0) yield style.dim(`  ... ${count(hidden, "further mismatch", "further mismatches")}\n`);
  for (const { what, calls, ...place } of result.outside)
    yield `  ${placeText(place, page)}${what} was called ${calls === 1 ? "once" : `${calls} times`} by replayed steps: it gives something else each time\n`;
  yield* work(result, style);
  yield* derivative(result, page);
}

function placeText({ file, line, column }: Place, { style, showPath }: Page): string {
  return file === null ? "" : `${style.bold(`${showPath(file)}:${line}:${column}:`)} `;
}

function* mismatch(one: PlacedMismatch, page: Page): Generator<string> {
  yield `  ${placeText(one, page)}${one.message}\n`;
}

/** Arithmetic work and peak state: they are the same whatever the streams are. */
function* work({ checkpoint }: ReplayResult, style: Style): Generator<string> {
  if (checkpoint === null) return;
  yield "\n";
  const said = new Map<string, number>();
  for (const { kind, name, steps, executed } of checkpoint.regions) {
    if (executed === null) continue;
    const what = kind === "cut" ? "the graph, cut into steps" : name;
    const lines =
      `  arithmetic work of ${what}: ${count(executed.totalForwards, "forward evaluation")} of ${count(steps, "step")}, ${executed.extraForwards} extra\n` +
      `  peak state of ${what}: ${count(executed.peakStates, "state")} and ${count(executed.peakTapes, "tape")}\n`;
    said.set(lines, (said.get(lines) ?? 0) + 1);
  }
  // calls of one segment are mostly alike
  for (const [lines, times] of said)
    yield times === 1 ? lines : `${lines}  (${grouped(times)} of them, each the same)\n`;
  const { peak, storeAll } = checkpoint.allocatedBytes;
  yield style.dim(
    `  allocated at once: ${grouped(peak)} bytes of primals; store-all ${grouped(storeAll)} bytes\n`,
  );
}

function* derivative(result: ReplayResult, page: Page): Generator<string> {
  const { style } = page;
  const { distance, firstDerivativeMismatch: first, completed, reversible } = result;
  if (!completed) {
    yield `\n  ${style.bad("no gradient:")} the replay recorded another program, so there is nothing to sweep over\n`;
    return;
  }
  if (first !== null) {
    const element = first.index < 0 ? "" : `, element ${first.index}`;
    yield `  first derivative mismatch: ${placeText(first, page)}the contribution of ${first.from} to ${first.to}${element} is ${show(first.replay)}, under store-all ${show(first.storeAll)} (${show(first.ulps)} ULPs)\n`;
  } else yield "  first derivative mismatch: none\n";
  if (distance === null) return;
  if (distance.equal) {
    yield `\n  ${style.good("the gradient is that of store-all, bit for bit")}\n`;
    return;
  }
  const { worst, differ, entries } = distance;
  const said = `${differ} of ${count(entries, "gradient entry", "gradient entries")} differ from store-all: d/d${worst!.name} is ${show(worst!.value)}, under store-all ${show(worst!.reference)} (${show(worst!.ulps)} ULPs)`;
  yield `\n  ${reversible ? said : style.bad(said)}\n`;
  if (reversible)
    yield style.dim(
      "  reversible layers are inverted, which is exact in real arithmetic only: this is no finding\n",
    );
}
