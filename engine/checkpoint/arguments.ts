/** What stands behind the colon of a schedule's name: counts, costs, bytes. Every mistake is one line that names the form. */
import { BacksweepError } from "../trace/failure.js";

/** Longest chain and largest count: what a double holds with room for what is counted with it. */
export const MOST = 1e15;

const units: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
};

/** The arguments of one name as typed, read one after the other. */
export class ScheduleArguments {
  private index = 0;

  /**
   * @param text the whole name, for messages
   * @param form its form: "uniform:k"
   */
  constructor(
    private readonly text: string,
    private readonly form: string,
    private readonly parts: readonly string[],
  ) {}

  /** A whole number from `least`. @throws BacksweepError `option` */
  count(what: string, least = 1): number {
    const part = this.take(what);
    const value = /^\d+$/.test(part) ? Number(part) : NaN;
    if (!(value >= least)) throw this.wrong(`${what} is a whole number from ${least}, not "${part}"`);
    if (value > MOST) throw this.wrong(`${what} is at most 10^15`);
    return value;
  }

  /** A number from 0 where one is given, else `otherwise`. @throws BacksweepError `option` */
  cost(what: string, otherwise: number): number {
    if (this.index >= this.parts.length) return otherwise;
    const part = this.take(what);
    const value = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(part) ? Number(part) : NaN;
    if (!Number.isFinite(value)) throw this.wrong(`${what} is a number from 0, not "${part}"`);
    return value;
  }

  /** A whole number of bytes: 4096, 64KiB, 2GB. @throws BacksweepError `option` */
  bytes(what: string): number {
    const part = this.take(what);
    const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(part);
    const unit = match === null ? undefined : units[match[2].toLowerCase()];
    const value = match === null || unit === undefined ? NaN : Math.floor(Number(match[1]) * unit);
    if (!(value >= 1 && value <= MOST))
      throw this.wrong(`${what} is a number of bytes such as 4096 or 64KiB, not "${part}"`);
    return value;
  }

  get isEmpty(): boolean {
    return this.parts.length === 0;
  }

  /** @throws BacksweepError `option` when something is left over */
  end(): void {
    if (this.index < this.parts.length) throw this.wrong(`"${this.parts[this.index]}" is one too many`);
  }

  private take(what: string): string {
    const part = this.parts[this.index++]?.trim();
    if (part === undefined || part === "") throw this.wrong(`${what} is missing`);
    return part;
  }

  private wrong(why: string): BacksweepError {
    return new BacksweepError("option", `schedule "${this.text}": ${why}; its form is ${this.form}`);
  }
}
