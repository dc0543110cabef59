/**
 * The plotting library under the panel's content security policy. It writes its few rules into a style element inside the
 * drawing, which the policy refuses; they stand in styles/figures.css instead, and the element is taken out before the
 * drawing comes into the page. Everything else it sets by attributes and properties, which the policy allows.
 */
import { plot, type Plot, type PlotOptions } from "@observablehq/plot";

export * from "@observablehq/plot";

export type Drawn = SVGSVGElement & Plot;

/** Font size of ticks and labels in pixels. */
export const SMALL = 11;

export function drawPlot(options: PlotOptions): Drawn {
  const drawn = plot({
    ...options,
    className: "plot",
    figure: false,
    style: { fontSize: `${SMALL}px` },
  }) as Drawn;
  for (const style of Array.from(drawn.querySelectorAll("style"))) style.remove();
  drawn.setAttribute("font-family", "inherit");
  // the drawing is described as a whole; a name on a group that has no role is an error to a screen reader
  for (const part of Array.from(drawn.querySelectorAll("g[aria-label]"))) {
    part.setAttribute("data-mark", part.getAttribute("aria-label")!);
    part.removeAttribute("aria-label");
  }
  return drawn;
}
