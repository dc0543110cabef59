/** The player's own signs, drawn on a 16 x 16 grid in the colour of the text. */
import { s } from "./dom.js";

const paths = {
  start: "M3 3v10M13 3.5v9L5.5 8z",
  back: "M12 3.5v9L4 8z",
  play: "M4.5 3v10L13 8z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  step: "M4 3.5v9L12 8z",
  end: "M13 3v10M3 3.5v9L10.5 8z",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  run: "M13 8a5 5 0 1 1-1.6-3.7M13 2v3h-3",
} as const;

const outlined = new Set<keyof typeof paths>(["fit", "plus", "minus", "run"]);

export type IconName = keyof typeof paths;

export function icon(name: IconName): SVGSVGElement {
  return s(
    "svg",
    { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true", class: "icon" },
    s("path", {
      d: paths[name],
      fill: outlined.has(name) ? "none" : "currentColor",
      stroke: "currentColor",
      "stroke-width": outlined.has(name) ? 1.6 : 1.2,
      "stroke-linejoin": "round",
      "stroke-linecap": "round",
    }),
  );
}
