/** `plan --json`: one document; long lists are written row by row, never held as text. */
import { jsonValue } from "./json-value.js";
import type { PlanSections } from "./plan-sections.js";

export function* planJson({ plan, actions, blocks, depths }: PlanSections): Generator<string> {
  yield "{";
  let comma = "";
  function* entry(key: string, value: unknown): Generator<string> {
    yield `${comma}\n  ${JSON.stringify(key)}: ${jsonValue(value)}`;
    comma = ",";
  }
  function* list(key: string, rows: Iterable<unknown>): Generator<string> {
    yield `${comma}\n  ${JSON.stringify(key)}: [`;
    let before = "\n";
    for (const row of rows) {
      yield `${before}    ${jsonValue(row)}`;
      before = ",\n";
    }
    yield before === "\n" ? "]" : "\n  ]";
    comma = ",";
  }
  if (plan !== null) {
    const { schedule, steps, countedBy, model, executed, details, remarks } = plan;
    const { peakStates, peakTapes, peakSlots, advances, records } = executed;
    const { totalForwards, extraForwards, replays, reads, writes } = executed;
    const { uncomputes, diskReads, diskWrites, peakDiskSlots } = executed;
    yield* entry("schedule", schedule);
    yield* entry("steps", steps);
    yield* entry("countedBy", countedBy);
    yield* entry("model", model);
    yield* entry("executed", {
      ...{ peakStates, peakTapes, peakSlots, advances, records },
      ...{ totalForwards, extraForwards, replays, reads, writes },
      ...{ uncomputes, diskReads, diskWrites, peakDiskSlots },
    });
    yield* entry("details", details);
    yield* entry("remarks", remarks);
  }
  if (actions !== null) yield* list("actions", actions);
  if (blocks !== null) {
    if (plan === null) yield* entry("steps", blocks.steps);
    yield* entry("bestBlock", blocks.best);
    yield* entry("storeAllStates", blocks.storeAll);
    yield* list("blocks", blocks.rows);
  }
  if (depths !== null) {
    const { from, to, roundedIsBest, worstRounded, farthest, rows } = depths;
    yield* entry("depths", { from, to, roundedIsBest, worstRounded, farthest });
    yield* list("bestBlocks", rows);
  }
  yield "\n}\n";
}
