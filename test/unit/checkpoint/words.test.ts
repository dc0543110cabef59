/** What schedules say of very short chains is grammar, too. */
import { describe, expect, it } from "vitest";
import { parseSchedule } from "../../../engine/checkpoint/parse.js";
import { planSchedule } from "../../../engine/checkpoint/plan.js";
import { amount } from "../../../engine/checkpoint/words.js";

const names =
  "store-all none uniform:1 uniform:2 uniform-keep-last:2 uniform-tapes:1 sqrt bisection revolve:1 revolve:3 multistage:1,1 mixed:1 hrevolve:1,1 online:1 treeverse:1".split(
    " ",
  );

describe("remarks", () => {
  it("one is one", () => {
    expect([amount(1, "step"), amount(2, "step"), amount(1n, "state"), amount("1", "forward")]).toEqual([
      "1 step",
      "2 steps",
      "1 state",
      "1 forward",
    ]);
  });

  it.each(names)("of %s have no plural of one", (name) => {
    for (const steps of [1, 2, 3]) {
      for (const remark of planSchedule(parseSchedule(name), steps).remarks) {
        // "2 n - 1 forwards" is a formula
        expect(remark.replaceAll("n - 1 forwards", "")).not.toMatch(
          /(^|[^\d.])1 (steps|states|slots|tapes|advances|records|forwards|times)\b/,
        );
      }
    }
  });
});
