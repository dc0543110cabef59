/** What a run says of its schedule: region by region what was held and ran again, bytes, and sentences for a person. */
import type { CheckpointReport, RegionReport } from "../report/report.js";
import { primalBytes } from "../sweep/cost.js";
import type { FlatTape } from "../sweep/flat.js";
import { SegmentKind } from "../trace/trace.js";
import type { AnyRegion } from "./regions.js";
import type { Reconstruction } from "./reconstruction.js";

/** A run's execution, when it has ended. */
interface Done {
  /** as typed */
  readonly schedule: string;
  readonly regions: readonly AnyRegion[];
  readonly flat: FlatTape;
  readonly replay: CheckpointReport["replay"];
  /** most bytes of primals held at once; null: everything was kept */
  readonly peakBytes: number | null;
  readonly reconstruction: Reconstruction | null;
  readonly remarks: readonly string[];
  /** a graph without regions that was kept whole counts as one of so many steps; null: as none */
  readonly keptSteps: number | null;
  /** the first node that counts where there are no regions: steps do not hold inputs, a plan node by node does */
  readonly first: number;
}

export function checkpointReport(done: Done): CheckpointReport {
  const { schedule, regions, replay, peakBytes, reconstruction, remarks, keptSteps } = done;
  const whole: RegionReport[] =
    keptSteps === null || regions.length > 0
      ? []
      : [{ kind: "cut", name: "cut", steps: keptSteps, schedule: "store-all", executed: null }];
  const storeAll = storeAllBytes(done);
  const layers = reconstruction?.layers ?? [];
  return {
    schedule,
    regions: [
      ...whole,
      ...regions.map(({ kind, name, count, executor }): RegionReport => ({
        kind: kindNames[kind],
        name,
        steps: count,
        schedule: executor?.schedule.name ?? "store-all",
        executed: executor?.executed ?? null,
      })),
    ],
    replay,
    allocatedBytes: { peak: peakBytes ?? storeAll, storeAll },
    ...(layers.length === 0 ? {} : { reconstruction: { layers, gradient: null } }),
    remarks: [...new Set([...remarks, ...regions.flatMap(remarksOf), ...(reconstruction?.remarks() ?? [])])],
  };
}

/** Bytes of the primals of all regions' nodes; of a graph without regions, of all that count. */
function storeAllBytes({ flat, regions, first: from }: Done): number {
  let bytes = 0;
  const add = (first: number, end: number): void => {
    for (let v = first; v < end; v++) bytes += primalBytes(flat, v);
  };
  if (regions.length === 0) add(from, flat.n);
  for (const region of regions) if (region.ran > 0) add(region.first(0), region.end(region.ran - 1));
  return bytes;
}

function remarksOf({ name, count, executor }: AnyRegion): string[] {
  const said = executor?.schedule.remarks?.(count) ?? [];
  return said.map((remark) => `${name}: ${remark}`);
}

const kindNames: Record<SegmentKind, string> = {
  [SegmentKind.outside]: "outside",
  [SegmentKind.step]: "chain",
  [SegmentKind.checkpoint]: "checkpoint",
  [SegmentKind.cut]: "cut",
  [SegmentKind.coupling]: "coupling",
};
