/** Why a point tells nothing, or too little, of a derivative: what `run` shows there has to be checked beside it. */
import type { Recording } from "../graph/record.js";
import type { Crossing } from "./evaluate.js";
import type { LineQuotients } from "./quotients.js";
import type { Bend } from "./remainders.js";
import { checkPlace, type DifferenceCheck } from "./result.js";

export interface Unfit {
  readonly code: "kink" | "branch" | "stationary" | "domain";
  readonly why: string;
  readonly site: number;
}

/** What was found at the point. */
export interface Findings {
  readonly recording: Recording;
  readonly differences: readonly DifferenceCheck[];
  readonly lines: readonly LineQuotients[];
  /** what the remainders' directions found that no single input shows */
  readonly bend: Bend | null;
}

/** Null: the point will do. */
export function unfitOf({ recording, differences, lines, bend }: Findings): Unfit | null {
  const kink = kinkNote(recording);
  if (kink !== undefined) return { code: "kink", why: kink.text, site: kink.site };
  const edge = lines.find((line) => line.edge !== null)?.edge ?? bend?.edge ?? null;
  if (edge !== null) return onEdge(edge);
  const bent = differences.find(({ verdict }) => verdict === "kink");
  if (bent !== undefined) {
    const { left, right } = bent.kink!;
    const why = `not differentiable by ${bent.along} here: ${left} from below, ${right} from above`;
    return { code: "kink", why, site: -1 };
  }
  const half = lines.findIndex(isHalf);
  if (half >= 0) return oneSided(differences[half].along);
  if (bend !== null) return bend.half ? oneSided(bend.along) : { code: "kink", why: bend.why, site: -1 };
  const zero = differences.length > 0 && differences.every(({ verdict }) => verdict === "zero");
  return zero
    ? { code: "stationary", why: "every derivative is 0 here, and a wrong rule would give 0 too", site: -1 }
    : null;
}

/** What the first primitive says that has no derivative where it stands. */
export function kinkNote({ recorder }: Recording): Recording["recorder"]["notes"][number] | undefined {
  return recorder.notes.find(({ code }) => code === "kink");
}

/** True where every step leaves the domain on one side or on both: no quotient could be taken over both sides. */
export function isHalf({ central, edge, outside }: LineQuotients): boolean {
  return central === null && edge === null && outside > 0;
}

function oneSided(along: string): Unfit {
  const by = along.startsWith("direction") ? "along a random direction" : `by ${along}`;
  const why = `the function is not finite on both sides of this point (${by}): there is no difference quotient`;
  return { code: "domain", why, site: -1 };
}

function onEdge({ site }: Crossing): Unfit {
  const text = checkPlace(site)?.text;
  const what = text === undefined ? "a branch" : `the branch at ${text}`;
  return { code: "branch", why: `the difference quotient crosses ${what}, however small the step`, site };
}
