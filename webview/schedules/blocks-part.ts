/** The figure of block lengths with its formulas, for a chain of so many steps. */
import type { BlocksAnswer } from "../../engine/report/questions.js";
import { h } from "../dom.js";
import { Figure } from "../plot/figure.js";
import { countText } from "../plot/units.js";
import type { Services } from "../tabs.js";
import { messageOf } from "../text/message.js";
import { blocksWords, drawBlocks } from "./blocks.js";

/** The table over block lengths is drawn up to this length. */
const MOST_STEPS = 1e6;

export class BlocksPart {
  readonly elements: readonly HTMLElement[];
  private readonly figure: Figure;
  private readonly words = h("div");
  private steps = 0;
  private drawn = 0;

  constructor(
    private readonly services: Services,
    private readonly pick: (schedule: string) => void,
  ) {
    this.figure = new Figure(services, { name: "block-lengths", title: "Uniform blocks" });
    this.elements = [this.figure.element, this.words];
  }

  ask(steps: number): void {
    this.steps = steps;
    if (steps === this.drawn) return;
    this.drawn = 0;
    this.words.replaceChildren();
    if (steps > MOST_STEPS) return this.figure.instead(`Drawn for at most ${countText(MOST_STEPS)} steps.`);
    this.services
      .ask({ kind: "blocks", steps })
      .then((answer) => {
        if (steps === this.steps) this.draw(answer);
      })
      .catch((error: unknown) => {
        if (steps === this.steps) this.figure.instead(messageOf(error));
      });
  }

  private draw(answer: BlocksAnswer): void {
    const { best, rows, steps } = answer;
    this.drawn = steps;
    this.figure.say(`states kept and forwards replayed over the block length k, depth ${countText(steps)}`);
    this.figure.show({
      description:
        `Count model of uniform blocks for depth ${steps}: the smallest peak, ${best.peakStateUnits} states, is at block ` +
        `length ${best.blockSize} with ${best.recomputedForwardEvaluations} replays.`,
      draw: (width) => drawBlocks(width, answer, (block) => this.pick(`uniform:${block}`)),
      table: () => ({
        columns: ["k", "M(k), count model", "R(k), count model", "peakStates, executed", "replays, executed"],
        rows: rows.map((row) => [
          row.blockSize,
          row.model.peakStates,
          row.model.replays,
          row.executed.peakStates,
          row.executed.replays,
        ]),
      }),
    });
    this.words.replaceChildren(blocksWords(answer));
  }
}
