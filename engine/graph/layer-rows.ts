/**
 * Where f and g of a coupling layer stand on the tape: known from the layer's first run, used when it is inverted, since
 * the inverse evaluates g before f and each on the rows it has. Also where they did what an inverse could not repeat.
 */
import type { Recorder } from "../ops/recorder.js";
import { Ints } from "../tape/growable.js";
import { outside } from "../tape/outside.js";
import { isTensor, Tensor } from "../tape/tensor.js";
import { idOf, isTraced } from "../tape/traced.js";
import { BacksweepError } from "../trace/failure.js";
import { combine, evaluate, halvesOf, type Half, type Layer } from "./coupling.js";
import type { Part } from "./replay-observer.js";
import { stateTime } from "./running-state.js";

/** Rows of f or g of one layer, its decisions, and the node of its result, -1 for a constant. */
export interface PartRows extends Part {
  readonly first: number;
  readonly end: number;
  readonly result: number;
}

/** The node of a value, -1 for a constant. */
export function nodeOf(x: Half): number {
  if (isTensor(x)) return Tensor.tape(x) === null ? -1 : Tensor.id(x);
  return isTraced(x) ? idOf(x) : -1;
}

export class LayerRows {
  private readonly rows = { f: columns(), g: columns() };
  /** time of the running states before each layer */
  private readonly times = new Ints();

  constructor(
    readonly layer: Layer,
    private readonly recorder: Recorder,
    private readonly name: string,
    /** the layer will be inverted: what could not be repeated is refused */
    private readonly inverted: () => boolean,
  ) {}

  /** The layer's first run. */
  run(state: unknown, step: number): [Half, Half] {
    const { layer } = this;
    const [x1, x2] = halvesOf(state, layer.site);
    this.times.push(stateTime(this.recorder));
    const y1 = combine("add", x1, this.part("f", x2, step), layer);
    return [y1, combine("add", x2, this.part("g", y1, step), layer)];
  }

  private part(which: "f" | "g", half: Half, step: number): Half {
    const { recorder } = this;
    const { length } = recorder.tape;
    const draws = recorder.draws.value.length;
    const decisions = recorder.decisions.at.length;
    const time = stateTime(recorder);
    const drawn: { what: string; site: number }[] = [];
    const { listener } = outside;
    outside.listener = (draw) => {
      drawn.push(draw);
      listener?.(draw);
    };
    let made: Half;
    try {
      made = evaluate(this.layer, which, half, step);
    } finally {
      outside.listener = listener;
    }
    if (this.inverted()) {
      if (recorder.draws.value.length > draws)
        throw this.refused(which, step, "draws a random number", recorder.draws.site.at(draws));
      if (drawn.length > 0) throw this.refused(which, step, `calls ${drawn[0].what}`, drawn[0].site);
      if (stateTime(recorder) > time)
        throw this.refused(which, step, "updates a running state", this.layer.site);
    }
    const rows = this.rows[which];
    rows.first.push(length);
    rows.end.push(recorder.tape.length);
    rows.result.push(nodeOf(made));
    rows.decided.push(decisions);
    rows.decidedEnd.push(recorder.decisions.at.length);
    return made;
  }

  private refused(which: string, step: number, does: string, site: number): BacksweepError {
    return new BacksweepError(
      "definition",
      `${this.name}: ${which} of layer ${step} ${does}, which its inverse cannot repeat: use another schedule than reversible, or take it out of the layer`,
      site,
    );
  }

  of(which: "f" | "g", step: number): PartRows {
    const { first, end, result, decided, decidedEnd } = this.rows[which];
    return {
      which,
      first: first.at(step),
      end: end.at(step),
      result: result.at(step),
      decisions: [decided.at(step), decidedEnd.at(step)],
    };
  }

  timeOf(step: number): number {
    return this.times.at(step);
  }
}

function columns(): Readonly<Record<"first" | "end" | "result" | "decided" | "decidedEnd", Ints>> {
  return {
    first: new Ints(),
    end: new Ints(),
    result: new Ints(),
    decided: new Ints(),
    decidedEnd: new Ints(),
  };
}
