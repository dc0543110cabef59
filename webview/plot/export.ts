/** A drawing as a file that looks the same outside the page. */

/** What the page's styles decide, written into the file. */
const properties = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
  "text-decoration-line",
  "paint-order",
  "display",
  "visibility",
] as const;

/** Names of attributes that differ from the property's. */
const attributes: Readonly<Record<string, string>> = { "text-decoration-line": "text-decoration" };

/** Pixels of a picture's longer side: beyond this browsers make no canvas. */
const LONGEST = 8192;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The drawing with its colours and fonts in it, on the page's background; `size`: of the whole, where that is not on screen. */
export function svgText(svg: SVGSVGElement, size: Size = svg.getBoundingClientRect()): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...Array.from(svg.querySelectorAll("*"))];
  const copies = [copy, ...Array.from(copy.querySelectorAll("*"))];
  originals.forEach((original, i) => {
    const style = getComputedStyle(original);
    for (const property of properties) {
      const value = style.getPropertyValue(property);
      if (value !== "") copies[i].setAttribute(attributes[property] ?? property, value);
    }
    for (const name of ["class", "tabindex", "role"]) copies[i].removeAttribute(name);
  });
  for (const unwanted of Array.from(copy.querySelectorAll("[data-not-saved]"))) unwanted.remove();
  const { width, height } = size;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  ground.setAttribute("width", "100%");
  ground.setAttribute("height", "100%");
  ground.setAttribute("fill", getComputedStyle(document.body).backgroundColor);
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

/** The text of a drawing as pixels, twice as many as on screen where so many can be made; a data URL. */
export async function pngData(text: string, { width, height }: Size): Promise<string> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const scale = Math.min(2, LONGEST / Math.max(width, height, 1));
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}
