/**
 * How far work is that takes long: one line on standard error, where that is a terminal, taken away when the work is done.
 * Work that ends soon shows none.
 */
import { displayWidth } from "./width.js";

/** What is written to: standard error, or a test's stand-in. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const AFTER_MS = 800;
const EVERY_MS = 200;
/** where the terminal does not say how wide it is */
const USUAL_COLUMNS = 80;
/** back to the first column, and nothing behind it */
const CLEAR = "\r\u001b[K";

let current: Progress | null = null;

export class Progress {
  private readonly began: number;
  private detail = "";
  private drawn = 0;
  private shown = false;
  private readonly timer: NodeJS.Timeout | null = null;

  /** @param what what is done: "check examples/heat.graph.ts" */
  constructor(
    private readonly what: string,
    private readonly stream: ProgressStream = process.stderr,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.began = now();
    if (stream.isTTY !== true || process.env.TERM === "dumb") return;
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- what is written beside it asks for the one that is shown
    current = this;
    this.timer = setInterval(() => this.tick(), EVERY_MS);
    this.timer.unref();
  }

  /** How far it is: "37 of 200 graphs". Work that leaves timers no room is shown when it says something. */
  say(detail: string): void {
    this.detail = detail;
    if (this.now() - this.drawn >= EVERY_MS) this.tick();
  }

  /** Shows the line at once: the work that follows leaves no room for it. */
  begin(): void {
    if (this.timer !== null) this.draw();
  }

  /** Takes the line away. */
  end(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.hide();
    if (current === this) current = null;
  }

  hide(): void {
    if (this.shown) this.stream.write(CLEAR);
    this.shown = false;
  }

  draw(): void {
    this.drawn = this.now();
    const seconds = Math.floor((this.drawn - this.began) / 1000);
    const text = `${this.what}${this.detail === "" ? "" : `: ${this.detail}`}${seconds < 1 ? " ..." : ` (${seconds} s)`}`;
    this.stream.write(`${CLEAR}${cutTo(text, (this.stream.columns || USUAL_COLUMNS) - 1)}`);
    this.shown = true;
  }

  get isShown(): boolean {
    return this.shown;
  }

  private tick(): void {
    if (this.timer !== null && this.now() - this.began >= AFTER_MS) this.draw();
  }
}

/** A line that is wider than the terminal could not be taken away again. */
function cutTo(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = "";
  for (const sign of text) {
    if (displayWidth(kept + sign) > columns - 3) break;
    kept += sign;
  }
  return `${kept}...`;
}

/** Writes something else to the same terminal: the line makes room for it and comes back below. */
export function besideProgress(write: () => void): void {
  const progress = current;
  const shown = progress?.isShown === true;
  if (shown) progress.hide();
  write();
  if (shown) progress.draw();
}

/** Shows how far `work` is while it goes on; the line is gone before anything is done with the result. */
export async function withProgress<T>(
  what: string,
  work: (progress: Progress) => T | Promise<T>,
): Promise<T> {
  const progress = new Progress(what);
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
}
