/** The polite live region: what is said there is heard, so it is said at most once a second while the sweep plays. */
import { setText } from "../dom.js";

const PAUSE_MS = 1000;

export class Announcer {
  private timer = 0;
  private last = -Infinity;
  private waiting = "";

  constructor(private readonly region: HTMLElement) {}

  /** Says it at once, instead of what was still to be said. */
  say(text: string): void {
    this.waiting = text;
    this.speak();
  }

  /** Says it as soon as the last words are a second old; only the latest of many is said. */
  later(text: string): void {
    this.waiting = text;
    if (this.timer !== 0) return;
    const wait = this.last + PAUSE_MS - performance.now();
    if (wait <= 0) return this.speak();
    this.timer = window.setTimeout(() => this.speak(), wait);
  }

  private speak(): void {
    window.clearTimeout(this.timer);
    this.timer = 0;
    this.last = performance.now();
    setText(this.region, this.waiting);
  }
}
