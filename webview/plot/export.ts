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
  "visibility",
] as const;

/** The drawing with its colours and fonts in it, on the page's background. */
export function svgText(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...Array.from(svg.querySelectorAll("*"))];
  const copies = [copy, ...Array.from(copy.querySelectorAll("*"))];
  originals.forEach((original, i) => {
    const style = getComputedStyle(original);
    for (const property of properties) {
      const value = style.getPropertyValue(property);
      if (value !== "") copies[i].setAttribute(property, value);
    }
    for (const name of ["class", "tabindex", "role"]) copies[i].removeAttribute(name);
  });
  for (const unwanted of Array.from(copy.querySelectorAll("[data-not-saved]"))) unwanted.remove();
  const { width, height } = svg.getBoundingClientRect();
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

/** The same as pixels, twice as many as on screen; a data URL. */
export async function pngData(svg: SVGSVGElement): Promise<string> {
  const { width, height } = svg.getBoundingClientRect();
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(svg))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(width * 2);
  canvas.height = Math.ceil(height * 2);
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}
