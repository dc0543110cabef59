/** States held and forwards replayed over the block length: the textbook's figure of uniform checkpointing, for any depth. */
import type { BlocksAnswer } from "../../engine/report/questions.js";
import { h, s } from "../dom.js";
import { formula } from "../plot/formula.js";
import replays from "../plot/formulas/block-replays.tex";
import states from "../plot/formulas/block-states.tex";
import { axisX, axisY, dot, drawPlot, gridX, gridY, line, ruleX, ruleY, text } from "../plot/plot.js";
import { countText } from "../plot/units.js";

const HEIGHT = 260;

export function drawBlocks(
  width: number,
  answer: BlocksAnswer,
  pick: (block: number) => void,
): SVGSVGElement {
  const { rows, best, storeAll, steps } = answer;
  const k = rows.map(({ blockSize }) => blockSize);
  const states = rows.map(({ model }) => model.peakStates);
  const replays = rows.map(({ model }) => model.replays);
  const executed = rows.map((row) => row.executed.peakStates);
  const ticks = doublings(steps);
  const plot = drawPlot({
    width,
    height: HEIGHT,
    marginLeft: 46,
    marginRight: 74,
    marginTop: 24,
    marginBottom: 38,
    x: { type: "log", base: 2, domain: [1, Math.max(2, steps)] },
    y: { domain: [0, Math.max(storeAll, ...states, ...replays) * 1.06] },
    marks: [
      gridX({ ticks, stroke: "var(--bs-card-line)", strokeOpacity: 0.5 }),
      gridY({ ticks: 5, stroke: "var(--bs-card-line)", strokeOpacity: 0.6 }),
      axisX({
        ticks,
        tickSize: 0,
        label: "block length k",
        labelAnchor: "center",
        labelArrow: "none",
        tickFormat: countText,
      }),
      axisY({ ticks: 5, tickSize: 0, label: "count", labelArrow: "none", tickFormat: countText }),
      ruleX(best.ties, { stroke: "var(--bs-sum)", strokeOpacity: 0.5 }),
      ruleY([storeAll], { stroke: "var(--bs-edge)", strokeDasharray: "4 3" }),
      line(k, { x: k, y: executed, stroke: "var(--bs-hold)", strokeWidth: 1, strokeDasharray: "1 3" }),
      line(k, { x: k, y: replays, stroke: "var(--bs-flow)", strokeWidth: 1.8, strokeDasharray: "6 3" }),
      line(k, { x: k, y: states, stroke: "var(--bs-hold)", strokeWidth: 1.8 }),
      dot([best], {
        x: [best.blockSize],
        y: [best.peakStateUnits],
        r: 4.5,
        fill: "var(--bs-hold)",
      }),
      dot([best], {
        x: [best.blockSize],
        y: [best.recomputedForwardEvaluations],
        r: 4.5,
        fill: "var(--bs-bg)",
        stroke: "var(--bs-flow)",
        strokeWidth: 1.8,
      }),
      ...ends(steps, [
        ["M(k)", states[states.length - 1], "var(--bs-hold)"],
        ["R(k)", replays[replays.length - 1], "var(--bs-flow)"],
      ]),
      text([storeAll], {
        y: [storeAll],
        frameAnchor: "left",
        text: [`store-all ${countText(storeAll)}`],
        textAnchor: "start",
        dx: 6,
        dy: -7,
        fill: "var(--bs-dim)",
      }),
    ],
  });
  plot.append(catcher(plot, width, rows, pick));
  return plot;
}

/** The names of the lines where they end; apart from each other where they end together. */
function ends(steps: number, lines: readonly (readonly [name: string, y: number, colour: string])[]) {
  return lines.map(([name, y, colour]) =>
    text([name], {
      x: [Math.max(2, steps)],
      y: [y],
      text: [name],
      textAnchor: "start",
      dx: 8,
      fill: colour,
      fontWeight: 600,
    }),
  );
}

function doublings(most: number): number[] {
  const out: number[] = [];
  for (let value = 1; value <= most; value *= most > 5000 ? 8 : 2) out.push(value);
  return out;
}

/** A click anywhere takes the nearest block length. */
function catcher(
  plot: ReturnType<typeof drawPlot>,
  width: number,
  rows: BlocksAnswer["rows"],
  pick: (block: number) => void,
): SVGRectElement {
  const target = s("rect", { width, height: HEIGHT, class: "catcher", "data-not-saved": "" });
  target.addEventListener("click", (event) => {
    const { left, width: shown } = plot.getBoundingClientRect();
    const value = Number(plot.scale("x")!.invert!(((event.clientX - left) * width) / Math.max(1, shown)));
    let nearest = rows[0].blockSize;
    for (const { blockSize } of rows)
      if (Math.abs(Math.log(blockSize / value)) < Math.abs(Math.log(nearest / value))) nearest = blockSize;
    pick(nearest);
  });
  return target;
}

/** The count model in formulas and in this chain's numbers. */
export function blocksWords({ steps, best, storeAll }: BlocksAnswer): HTMLElement {
  const also = best.ties.length > 1 ? `, as do ${best.ties.slice(1).join(", ")}` : "";
  return h(
    "div",
    { class: "figure-words" },
    h("p", {}, formula(states), h("span", { class: "dim" }, " states at once, count model")),
    h("p", {}, formula(replays), h("span", { class: "dim" }, " forwards run again, count model")),
    h(
      "p",
      {},
      `L = ${countText(steps)}: k = ${countText(best.blockSize)} keeps ${countText(best.peakStateUnits)} states${also}, ` +
        `beside ${countText(storeAll)} of store-all, and runs ${countText(best.recomputedForwardEvaluations)} forwards again. `,
      h(
        "span",
        { class: "dim" },
        `The square root of L is ${best.squareRoot.toFixed(2)}. Dotted: states held as executed.`,
      ),
    ),
  );
}
