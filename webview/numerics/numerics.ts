/**
 * The numerics picture: difference quotients against the step, sums against their order, what inverses of coupling layers
 * did to the numbers, where NaN and infinities begin, and what a replay computed otherwise. What has to run the graph is
 * asked of the host while the picture is in front.
 */
import { h } from "../dom.js";
import type { SweepModel } from "../model/sweep-model.js";
import type { AppState } from "../store.js";
import type { Picture, Services } from "../tabs.js";
import { Origins } from "./origins.js";
import { Reconstruction } from "./reconstruction.js";
import { SpreadPart } from "./spread-part.js";
import { StepsPart } from "./steps-part.js";

export class NumericsPicture implements Picture {
  private readonly steps: StepsPart;
  private readonly spread: SpreadPart;
  private readonly reconstruction: Reconstruction;
  private readonly origins: Origins;
  private model: SweepModel | null = null;

  constructor(host: HTMLElement, services: Services) {
    this.steps = new StepsPart(services);
    this.spread = new SpreadPart(services);
    this.reconstruction = new Reconstruction(services);
    this.origins = new Origins(services);
    const parts = [this.steps, this.spread, this.reconstruction, this.origins];
    host.append(h("div", { class: "picture-grid" }, ...parts.map(({ element }) => element)));
  }

  update(state: AppState, before: AppState | null): void {
    const { model, selected } = state;
    if (model === null) return;
    if (model !== this.model) {
      this.model = model;
      this.steps.show(model);
      this.spread.show(model, selected);
      this.reconstruction.show(model);
      this.origins.show(model);
    } else if (selected !== before?.selected) this.spread.choose(selected);
  }
}
