/** The figure of a block sweep in characters: peak states and replays over the block length, store-all as a line. */
import type { BlockRow, BlockSweep } from "../engine/checkpoint/sweep-block.js";

const HEIGHT = 18;
const WIDTH = 64;

/** `M` peak states, `R` extra forward evaluations, `*` both, `O` the best block length, `-` store-all. */
export function* blockFigure({ rows, best, storeAll }: BlockSweep): Generator<string> {
  const columns = sampled(rows, best.blockSize);
  const top = Math.max(storeAll, ...columns.map(({ model }) => Math.max(model.peakStates, model.replays)));
  const lineOf = (value: number): number => HEIGHT - 1 - Math.round((value / top) * (HEIGHT - 1));
  const lines = Array.from({ length: HEIGHT }, () => columns.map(() => " "));
  lines[lineOf(storeAll)].fill("-");
  columns.forEach(({ blockSize, model }, column) => {
    lines[lineOf(model.replays)][column] = "R";
    const peak = lines[lineOf(model.peakStates)];
    peak[column] = blockSize === best.blockSize ? "O" : peak[column] === "R" ? "*" : "M";
  });
  for (const [i, line] of lines.entries()) {
    const label =
      i === lineOf(storeAll)
        ? storeAll
        : i === lineOf(best.peakStateUnits)
          ? best.peakStateUnits
          : i === HEIGHT - 1
            ? 0
            : null;
    yield `  ${(label === null ? "" : String(label)).padStart(7)} |${line.join("").trimEnd()}\n`;
  }
  yield `  ${"".padStart(7)} +${"-".repeat(columns.length)}\n`;
  yield `  ${"k".padStart(7)}  ${axis(columns)}\n`;
}

/** Every row, or as many as there are columns, evenly over the lengths, the best one among them. */
function sampled(rows: readonly BlockRow[], best: number): BlockRow[] {
  if (rows.length <= WIDTH) return [...rows];
  const lengths = Array.from(
    { length: WIDTH },
    (_, i) => 1 + Math.round((i * (rows.length - 1)) / (WIDTH - 1)),
  );
  const near = lengths.reduce((a, b) => (Math.abs(b - best) < Math.abs(a - best) ? b : a));
  lengths[lengths.indexOf(near)] = best;
  return lengths.map((k) => rows[k - 1]);
}

/** The block length under its column, every eighth. */
function axis(columns: readonly BlockRow[]): string {
  let text = "";
  columns.forEach(({ blockSize }, column) => {
    if ((column + 1) % 8 === 0 || column === 0) text = text.padEnd(column) + String(blockSize);
  });
  return text;
}
