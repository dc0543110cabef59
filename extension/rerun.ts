/** Runs the shown graph again of its own accord: after its file was saved, or after typing came to rest. */
import type { RunOn } from "./settings.js";

const SAVE_SETTLE_MS = 100;
/** one keystroke after another is closer than this */
const TYPE_SETTLE_MS = 300;

export class Rerun {
  private timer: NodeJS.Timeout | undefined;

  /** `on`: the setting of the shown graph, null when there is none or nobody would see its sweep. */
  constructor(
    private readonly on: () => RunOn | null,
    private readonly run: (why: "saved" | "typed") => void,
  ) {}

  saved(): void {
    if (this.on() === "save") this.after(SAVE_SETTLE_MS, "saved");
  }

  edited(): void {
    if (this.on() === "type") this.after(TYPE_SETTLE_MS, "typed");
  }

  /** A run begins: what was due is contained in it. */
  cancel(): void {
    clearTimeout(this.timer);
  }

  private after(milliseconds: number, why: "saved" | "typed"): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.run(why), milliseconds);
  }
}
