/** Comparisons that a program made on recorded values. At other inputs they may fall otherwise, and then no replay is right. */
export type Comparison = "<" | "<=" | ">" | ">=" | "==" | "!=";

const outcomes: Readonly<Record<Comparison, (a: number, b: number) => boolean>> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
};

interface Decision {
  readonly comparison: Comparison;
  readonly a: number;
  readonly b: number;
  readonly outcome: boolean;
}

export class Decisions {
  readonly list: Decision[] = [];

  add(comparison: Comparison, a: number, b: number, left: number, right: number): boolean {
    const outcome = outcomes[comparison](left, right);
    this.list.push({ comparison, a, b, outcome });
    return outcome;
  }

  copy(): Decisions {
    const copy = new Decisions();
    copy.list.push(...this.list);
    return copy;
  }

  clear(): void {
    this.list.length = 0;
  }
}

/** What went otherwise than recorded, as a message; null if nothing did. */
export function checkDecisions(decisions: Decisions, value: (x: number) => number): string | null {
  for (const { comparison, a, b, outcome } of decisions.list) {
    const left = value(a);
    const right = value(b);
    if (outcomes[comparison](left, right) === outcome) continue;
    return `replay: at these inputs ${left} ${comparison} ${right} is ${String(!outcome)}, recorded as ${String(outcome)}; record anew`;
  }
  return null;
}
