/** A bar cut by the shares of |contribution|, of arrays by their norms; shares under 12 % carry no text. */
import { h } from "../dom.js";
import { cancellation } from "../../engine/report/cancellation.js";
import type { NodeFacts } from "../../engine/report/facts.js";
import { isArray, magnitude } from "../../engine/report/quantity.js";
import { short } from "../../engine/report/text/format.js";

const MOST = 12;

export function shareBar(facts: NodeFacts): HTMLElement | null {
  const parts = facts.parts.slice(0, MOST);
  const total = facts.parts.reduce((sum, part) => sum + magnitude(part.value), 0);
  if (
    facts.parts.length < 2 ||
    facts.parts.some((part) => part.unknown) ||
    !Number.isFinite(total) ||
    total === 0
  )
    return null;
  const bar = h("div", { class: "shares", role: "img" });
  const words: string[] = [];
  parts.forEach((part, i) => {
    const share = magnitude(part.value) / total;
    const percent = Math.round(share * 100);
    words.push(`${part.title} ${percent} %`);
    const piece = h("span", {
      class: `share share-${i % 4}${part.lost ? " is-lost" : ""}`,
      title: `${part.title}: ${short(part.value)}`,
    });
    piece.style.flexGrow = String(Math.max(share, 0.002));
    if (share >= 0.12) piece.append(h("bdi", {}, part.title), ` ${percent} %`);
    bar.append(piece);
  });
  const by = isArray(facts.cotangent) ? ", by norm" : "";
  bar.setAttribute("aria-label", `Shares of the contributions${by}: ${words.join(", ")}`);
  if (by !== "") bar.title = "by norm";
  return bar;
}

/** One sentence about cancellation, "" where there is nothing to cancel. */
export function cancellationText(facts: NodeFacts): string {
  if (facts.parts.length < 2 || facts.overwrites || !facts.addsUp) return "";
  const ratio = cancellation(facts);
  if (!Number.isFinite(ratio)) return "";
  const over = isArray(facts.cotangent) ? " over all elements" : "";
  const figure = `|sum| / sum of |parts|${over} = ${ratio >= 0.995 ? "1.00" : short(Number(ratio.toPrecision(3)))}`;
  if (ratio >= 0.995) return `no cancellation (${figure})`;
  return ratio < 0.01 ? `strong cancellation (${figure})` : `cancellation (${figure})`;
}
