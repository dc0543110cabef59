/** What a hover says of a node under a checkpoint schedule. */
import { expect, it } from "vitest";
import { retentionText } from "../../../engine/report/retention.js";
import { Timeline } from "../../../engine/timeline/timeline.js";
import { trace } from "../compile/trace.js";

const text = (options: string): string => `import { chain, graph } from "backsweep";
export const g = graph({ x: 0.5 }, ({ x }) => chain(4, x, (s) => Math.sin(s) * 1.5)${options});
`;

it("says to which step a node belongs, where its value is and how often it is computed again", async () => {
  const { trace: recorded } = await trace(text(', { schedule: "uniform:2" }'));
  const timeline = new Timeline(recorded);
  const { segments } = recorded;
  expect(segments).toBeDefined();
  const second = Array.from({ length: segments!.n }, (_, row) => row).find(
    (row) => segments!.step[row] === 1,
  )!;
  const node = segments!.first[second];
  expect(retentionText(timeline, node, 0)).toMatch(
    /^step 1 of .*; not computed yet at step 0 of \d+; computed again/,
  );
  expect(retentionText(timeline, node, timeline.steps)).toMatch(/computed again [1-9]\d* times? in all$/);
});

it("says nothing where the recording is one piece", async () => {
  const { trace: recorded } = await trace(
    'import { graph } from "backsweep";\nexport const g = graph({ x: 2 }, ({ x }) => x * x);\n',
  );
  expect(retentionText(new Timeline(recorded), 0, 1)).toBeNull();
});
