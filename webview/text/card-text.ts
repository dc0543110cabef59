/** The words on a card, cut to the room there is. Pure, so that it can be tested without a screen. */
import { CARD_WIDTH } from "../../engine/layout/metrics.js";
import type { NodeFacts } from "../../engine/report/facts.js";
import { lostValues } from "../../engine/report/text/sum.js";
import { isArray, type Quantity } from "../../engine/report/quantity.js";
import { normText, tightArray } from "../../engine/report/text/array-text.js";
import { ellipsis, middleEllipsis, short } from "../../engine/report/text/format.js";
import { tinyNumber } from "../../engine/report/text/number.js";

export interface CardText {
  readonly name: string;
  readonly op: string;
  /** true: name and op have room beside each other in the larger type of a drawing that is far away */
  readonly brief: boolean;
  readonly value: string;
  /** the letter that stands under a bar */
  readonly letter: string;
  readonly lost: string;
  readonly cotangent: string;
  /** what stands in the place of the cotangent while there is none */
  readonly instead: string;
  readonly badge: string;
  /** true: the numbers need the small type */
  readonly small: boolean;
  /** true: value and cotangent stand on lines of their own, because arrays take the whole width */
  readonly tall: boolean;
}

const ROOM = CARD_WIDTH - 24;
/** widths of a character of the three sizes of type used on a card, in the fallback monospaced face, rounded up */
const NAME_CHARACTER = 9.2;
const OP_CHARACTER = 7.4;
/** the same of the larger type (distance.css) */
const LARGE_NAME_CHARACTER = 11.6;
const LARGE_OP_CHARACTER = 9.8;
/** characters of the small type in one line */
const LINE = 20;

export function cardText(facts: NodeFacts): CardText {
  const shown = facts.name ?? facts.expression;
  const wanted = facts.isInput ? "input" : facts.name === null ? facts.op : facts.expression;
  const nameRoom = wanted.length <= 5 ? ROOM - wanted.length * OP_CHARACTER - 8 : ROOM * 0.68;
  const cut = facts.name === null ? ellipsis : middleEllipsis;
  const name = cut(shown, Math.max(3, Math.floor(nameRoom / NAME_CHARACTER)));
  const opRoom = Math.floor((ROOM - Array.from(name).length * NAME_CHARACTER - 8) / OP_CHARACTER);
  const reached = facts.cotangent !== undefined && facts.parts.length > 0;
  const tall = isArray(facts.value);
  const value = !facts.evaluated
    ? "…"
    : isArray(facts.value)
      ? tightArray(facts.value, LINE)
      : short(facts.value);
  const lost = lostValues(facts);
  const cotangent = reached ? onCard(facts.cotangent) + (facts.status === "partial" ? " …" : "") : "";
  const lostText = lost.length === 0 ? "" : onCard(lost[lost.length - 1]);
  // a cut expression says less than the primitive's name
  const op =
    wanted.length > opRoom && facts.op.length <= opRoom
      ? facts.op
      : opRoom >= 3
        ? ellipsis(wanted, opRoom)
        : "";
  const large = Array.from(name).length * LARGE_NAME_CHARACTER + Array.from(op).length * LARGE_OP_CHARACTER;
  return {
    name,
    op,
    brief: large + 8 <= ROOM,
    value,
    letter: letterOf(facts.name),
    lost: lostText,
    cotangent,
    instead: insteadOf(facts),
    badge: facts.uses > 1 ? `${facts.paid} of ${facts.uses}` : "",
    small:
      tall ||
      value.length + cotangent.length + (lostText === "" ? 0 : lostText.length + 1) > 12 ||
      (facts.status === "unswept" && value.length > 6),
    tall,
  };
}

/** A number, or the norm of an array in its bars. */
function onCard(quantity: Quantity | undefined): string {
  return isArray(quantity) ? normText(quantity, tinyNumber) : short(quantity);
}

/** v, the field's own letter for "some node", where the name is longer than a letter. */
function letterOf(name: string | null): string {
  return name !== null && /^[A-Za-z\u0370-\u03ff]$/.test(name) ? name : "v";
}

function insteadOf(facts: NodeFacts): string {
  if (facts.status === "waiting") return "waiting";
  if (facts.status === "unreached") return "no path";
  if (facts.status === "unswept") return "not swept";
  return "";
}
