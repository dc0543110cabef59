/** One node card of the overlay: made once, changed only where its text or state changes. */
import { CARD_HEIGHT, CARD_WIDTH } from "../../engine/layout/metrics.js";
import { s, setAttribute, setText } from "../dom.js";
import type { NodeFacts } from "../../engine/report/facts.js";
import { cardText } from "../text/card-text.js";
import { isArray, type Quantity } from "../../engine/report/quantity.js";
import { tightArray } from "../../engine/report/text/array-text.js";
import { short } from "../../engine/report/text/format.js";
import type { Point } from "./route.js";

export interface CardFlags {
  readonly current: boolean;
  readonly selected: boolean;
  /** the cotangent of the sweep that adds up, where this one is wrong */
  readonly right: Quantity | undefined;
}

const W = CARD_WIDTH;
const H = CARD_HEIGHT;

function box(grow: number, radius: number, name: string): SVGRectElement {
  const size = { x: -W / 2 - grow, y: -H / 2 - grow, width: W + 2 * grow, height: H + 2 * grow, rx: radius };
  return s("rect", { ...size, class: name });
}

export class Card {
  readonly element: SVGGElement;
  private readonly name = s("text", { x: -W / 2 + 12, y: -10, class: "card-name" });
  private readonly op = s("text", { x: W / 2 - 12, y: -10, class: "card-op", "text-anchor": "end" });
  private readonly value = s("text", { x: -W / 2 + 12, y: 19, class: "card-value" });
  private readonly letter = s("tspan", { class: "bar" });
  private readonly lost = s("tspan", { class: "lost" });
  private readonly cotangent = s("tspan");
  private readonly bar: SVGTextElement;
  private readonly badge: SVGGElement;
  private readonly badgeText = s("text", {
    x: W / 2 - 2,
    y: -H / 2 - 5,
    "text-anchor": "middle",
    class: "badge-text",
  });
  private readonly right = s("text", {
    x: W / 2 - 12,
    y: H / 2 + 17,
    "text-anchor": "end",
    class: "card-right",
  });
  private readonly keep = s("text", { x: -W / 2 + 2, y: H / 2 + 17, class: "card-keep" });
  private key = "";

  constructor(at: Point, fanOut: boolean) {
    this.bar = s(
      "text",
      { x: W / 2 - 12, y: 19, "text-anchor": "end", class: "card-bar" },
      this.letter,
      this.lost,
      this.cotangent,
    );
    const pill = s("rect", {
      x: W / 2 - 28,
      y: -H / 2 - 19,
      width: 52,
      height: 20,
      rx: 10,
      class: "badge-pill",
    });
    this.badge = s("g", { class: "badge" }, pill, this.badgeText);
    this.element = s(
      "g",
      { class: "card", transform: `translate(${at.x} ${at.y})` },
      fanOut && box(4, 11, "card-second"),
      box(8, 14, "card-ring"),
      box(0, 8, "card-body"),
      s("line", { x1: -W / 2, x2: W / 2, y1: 0, y2: 0, class: "card-rule" }),
      this.name,
      this.op,
      this.value,
      this.bar,
      fanOut && this.badge,
      this.right,
      this.keep,
    );
  }

  /** What a schedule does with the value: "\u25c6 snapshot". */
  kept(text: string): void {
    setText(this.keep, text);
  }

  update(facts: NodeFacts, flags: CardFlags): void {
    const text = cardText(facts);
    const right = flags.right === undefined ? "" : `sum: ${rightText(flags.right)}`;
    const state =
      `card is-${facts.status}` +
      (facts.overwrites ? " is-overwriting" : "") +
      (right === "" ? "" : " is-wrong") +
      (flags.current ? " is-current" : "") +
      (flags.selected ? " is-selected" : "") +
      (facts.name === null ? " is-unnamed" : "") +
      (text.brief ? " is-brief" : "") +
      (text.small ? " is-small" : "") +
      (text.tall ? " is-tall" : "");
    const key = `${state}|${JSON.stringify(text)}|${right}`;
    if (key === this.key) return;
    this.key = key;
    setAttribute(this.element, "class", state);
    setText(this.name, text.name);
    setText(this.op, text.op);
    setText(this.value, text.value);
    setAttribute(this.value, "y", text.tall ? 12 : 19);
    setAttribute(this.bar, "y", text.tall ? 27 : 19);
    setText(this.letter, text.cotangent === "" ? "" : text.letter);
    setText(this.lost, text.lost);
    setAttribute(this.lost, "dx", text.lost === "" ? null : 6);
    setText(this.cotangent, text.cotangent === "" ? text.instead : text.cotangent);
    setAttribute(this.cotangent, "dx", text.cotangent === "" ? null : 6);
    setText(this.badgeText, text.badge);
    setText(this.right, right);
  }
}

function rightText(right: Quantity): string {
  return isArray(right) ? tightArray(right, 16) : short(right);
}
