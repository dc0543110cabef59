/** What `run` says of a checkpoint schedule: what was held at once, what ran again, what was chosen and rejected. */
import type { CheckpointReport, RegionReport } from "../engine/report/report.js";
import { count, grouped, type Style } from "./style.js";
import { wrapped } from "./usage.js";

/** More regions than these are counted: a checkpoint that is called in a loop is one each time. */
const MOST_REGIONS = 8;
const MOST_REMARKS = 12;
const WIDTH = 110;

export function* scheduleLines(checkpoint: CheckpointReport | undefined, style: Style): Generator<string> {
  if (checkpoint === undefined || checkpoint.schedule === "store-all") return;
  const { regions, allocatedBytes, remarks } = checkpoint;
  yield `\n${style.bold("Schedule")} ${checkpoint.schedule}\n`;
  const lines = alike(regions);
  for (const { line, times } of lines.slice(0, MOST_REGIONS))
    yield `  ${times > 1 ? `${grouped(times)} times ` : ""}${line}\n`;
  const more = lines.slice(MOST_REGIONS).reduce((sum, { times }) => sum + times, 0);
  if (more > 0) yield style.dim(`  ... ${count(more, "more region")}\n`);
  yield `  allocated at once: ${bytes(allocatedBytes.peak)} of primals; store-all ${bytes(allocatedBytes.storeAll)}\n`;
  const gradient = checkpoint.reconstruction?.gradient;
  if (gradient !== undefined && gradient !== null) {
    const { ulps, relative } = gradient;
    yield ulps === 0
      ? "  the gradient is that of store-all to the bit\n"
      : `  the gradient is at most ${short(ulps)} ULPs from that of store-all, ${short(relative)} of its largest entry\n`;
  }
  for (const remark of remarks.slice(0, MOST_REMARKS))
    for (const [i, line] of wrapped(remark, WIDTH).entries())
      yield style.dim(`${i === 0 ? "  " : "    "}${line}\n`);
  if (remarks.length > MOST_REMARKS)
    yield style.dim(`  ... ${count(remarks.length - MOST_REMARKS, "more remark")} (--json has all)\n`);
}

/** What is said of each region; what is the same of several, such as the calls of one segment, stands once. */
function alike(regions: readonly RegionReport[]): { line: string; times: number }[] {
  const times = new Map<string, number>();
  for (const region of regions) {
    const line = regionLine(region);
    times.set(line, (times.get(line) ?? 0) + 1);
  }
  return Array.from(times, ([line, n]) => ({ line, times: n }));
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
