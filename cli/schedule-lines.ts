/** What `run` says of a checkpoint schedule: what was held at once, what ran again, what was chosen and rejected. */
import type { CheckpointReport, RegionReport } from "../engine/report/report.js";
import { count, grouped, type Style } from "./style.js";

/** More regions than these are counted: a checkpoint that is called in a loop is one each time. */
const MOST_REGIONS = 8;
const MOST_REMARKS = 12;

export function* scheduleLines(checkpoint: CheckpointReport | undefined, style: Style): Generator<string> {
  if (checkpoint === undefined || checkpoint.schedule === "store-all") return;
  const { regions, allocatedBytes, remarks } = checkpoint;
  yield `\n${style.bold("Schedule")} ${checkpoint.schedule}\n`;
  for (const region of regions.slice(0, MOST_REGIONS)) yield `  ${regionLine(region)}\n`;
  if (regions.length > MOST_REGIONS)
    yield style.dim(`  ... ${count(regions.length - MOST_REGIONS, "more region")}\n`);
  yield `  allocated at once: ${bytes(allocatedBytes.peak)} of primals; store-all ${bytes(allocatedBytes.storeAll)}\n`;
  const gradient = checkpoint.reconstruction?.gradient;
  if (gradient !== undefined && gradient !== null) {
    const { ulps, relative } = gradient;
    yield ulps === 0
      ? "  the gradient is that of store-all to the bit\n"
      : `  the gradient is at most ${short(ulps)} ULPs from that of store-all, ${short(relative)} of its largest entry\n`;
  }
  for (const remark of remarks.slice(0, MOST_REMARKS)) yield style.dim(`  ${remark}\n`);
  if (remarks.length > MOST_REMARKS)
    yield style.dim(`  ... ${count(remarks.length - MOST_REMARKS, "more remark")} (--json has all)\n`);
}

function regionLine({ name, kind, steps, schedule, executed }: RegionReport): string {
  const head = `${name} (${kind}, ${count(steps, "step")})`;
  if (executed === null) return `${head}: everything is kept`;
  const { peakStates, peakTapes, totalForwards, extraForwards } = executed;
  const held = `${count(peakStates, "state")} and ${count(peakTapes, "tape")} held at most`;
  return `${head}: ${schedule}; ${held}; ${count(totalForwards, "forward")}, ${extraForwards} extra`;
}

const short = (x: number): string => String(Number(x.toPrecision(3)));

function bytes(n: number): string {
  return `${grouped(n)} bytes`;
}
