/** The bar below the graph: buttons, the sentence of the step, speed, the scrub bar; and the clock that plays. */
import { h, setAttribute, setText } from "../dom.js";
import { icon, type IconName } from "../icons.js";
import type { AppState, Store } from "../store.js";
import { sentenceAt, sentenceText, type Words } from "../text/sentence.js";
import { Announcer } from "./announcer.js";
import { Scrub } from "./scrub.js";

/** characters of a sentence that find room in its lines, also in a narrow panel */
const LONG = 120;

export const speeds = [0.5, 1, 2, 4, 8, 16, 60] as const;

export class Player {
  private readonly play = button("play", "play", "Play");
  private readonly sentence = h("p", { id: "sentence", class: "sentence" });
  private readonly position = h("span", { id: "position", class: "position dim" });
  private readonly speed = h("select", { id: "speed", "aria-label": "Speed", title: "Speed" });
  private readonly scrub: Scrub;
  private readonly announcer: Announcer;
  private timer = 0;

  constructor(
    host: HTMLElement,
    live: HTMLElement,
    private readonly store: Store,
    private readonly move: (step: number) => void,
  ) {
    this.scrub = new Scrub(move);
    this.announcer = new Announcer(live);
    const buttons: [HTMLButtonElement, () => number][] = [
      [button("start", "start", "To the start (Home)"), () => 0],
      [button("back", "back", "Step back (Left arrow)"), () => store.state.step - 1],
      [button("step", "step", "Step (Right arrow)"), () => store.state.step + 1],
      [button("end", "end", "To the end (End)"), () => Infinity],
    ];
    for (const [element, target] of buttons) {
      element.addEventListener("click", () => {
        const { model, mode } = store.state;
        move(Math.min(target(), model === null ? 0 : model.timeline(mode).steps));
      });
    }
    this.play.addEventListener("click", () => this.toggle());
    for (const speed of speeds) this.speed.append(h("option", { value: speed }, `${speed}×`));
    this.speed.addEventListener("change", () => store.update({ speed: Number(this.speed.value) }));
    const [start, back, step, end] = buttons.map(([element]) => element);
    const controls = h(
      "div",
      { class: "controls", role: "group", "aria-label": "Player" },
      start,
      back,
      this.play,
      step,
      end,
    );
    host.replaceChildren(
      h(
        "div",
        { class: "player-row" },
        controls,
        this.sentence,
        h("span", { class: "player-side" }, this.position, this.speed),
      ),
      this.scrub.element,
    );
  }

  /** Play from here, or from the start where the sweep is at its end; pause. */
  toggle(): void {
    const { playing, model, mode, step } = this.store.state;
    if (playing || model === null) return this.store.update({ playing: false });
    if (step >= model.timeline(mode).steps) this.move(0);
    this.store.update({ playing: true });
  }

  update(state: AppState, before: AppState): void {
    if (state.playing !== before.playing || state.speed !== before.speed) this.clock(state);
    if (state.playing !== before.playing) {
      this.play.replaceChildren(icon(state.playing ? "pause" : "play"));
      setAttribute(this.play, "aria-label", state.playing ? "Pause" : "Play");
      setAttribute(this.play, "title", state.playing ? "Pause (Space)" : "Play (Space)");
    }
    if (this.speed.value !== String(state.speed)) this.speed.value = String(state.speed);
    const { model, step, mode } = state;
    if (model === null && before.model !== null) this.clear();
    if (model === null) return;
    const { breakpoints } = state;
    const still = model === before.model && step === before.step && mode === before.mode;
    if (still && breakpoints === before.breakpoints) return;
    const timeline = model.timeline(mode);
    const words = sentenceAt(timeline, step, model.truth === timeline ? null : model.truth);
    this.sentence.replaceChildren(...words.map(wordElement));
    const text = sentenceText(words);
    // what is cut off on screen can still be read
    setAttribute(this.sentence, "title", text.length > LONG ? text : null);
    const place = positionText(step, timeline.steps, timeline.forwardSteps);
    setText(this.position, place);
    if (state.playing) this.announcer.later(text);
    else if (!still) this.announcer.say(text);
    this.scrub.show(timeline, step, breakpoints, `${place}. ${text}`);
  }

  /** Takes the words of the step away, also those that were only heard. */
  clear(): void {
    this.sentence.replaceChildren();
    setText(this.position, "");
    this.announcer.say("");
    this.scrub.clear();
  }

  private clock(state: AppState): void {
    window.clearInterval(this.timer);
    this.timer = 0;
    if (!state.playing) return;
    this.timer = window.setInterval(() => {
      const { model, mode, step } = this.store.state;
      const steps = model === null ? 0 : model.timeline(mode).steps;
      if (step < steps) this.move(step + 1);
      if (step + 1 >= steps) this.store.update({ playing: false });
    }, 1000 / state.speed);
  }
}

export function positionText(step: number, steps: number, forwardSteps: number): string {
  const forward = step === forwardSteps && step < steps ? "end of the forward sweep" : "forward sweep";
  const where = step === 0 ? "before the sweep" : step <= forwardSteps ? forward : "reverse sweep";
  return `step ${step.toLocaleString("en")} of ${steps.toLocaleString("en")}, ${where}`;
}

function wordElement(word: Words): Node {
  if (word.kind === "plain") return document.createTextNode(word.text);
  if (word.kind === "node") return h("b", { class: "word-node" }, h("bdi", {}, word.text));
  return h(word.kind === "lost" ? "s" : "em", { class: `word-${word.kind}` }, word.text);
}

function button(id: string, name: IconName, label: string): HTMLButtonElement {
  return h(
    "button",
    { id, class: id === "play" ? "control control-play" : "control", "aria-label": label, title: label },
    icon(name),
  );
}
