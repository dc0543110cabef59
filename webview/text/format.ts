/** Numbers and names as people read them: short on the graph, in full where there is room. */

/** At most four significant digits; whole numbers up to six digits stand as they are. */
export function short(x: number | undefined): string {
  if (x === undefined) return "none";
  if (!Number.isFinite(x)) return String(x);
  if (Object.is(x, -0)) return "-0";
  if (Number.isInteger(x) && Math.abs(x) < 1e6) return String(x);
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-4) {
    const [digits, exponent] = x.toExponential(3).split("e");
    return `${trimZeros(digits)}e${exponent.replace("+", "")}`;
  }
  return trimZeros(x.toPrecision(4));
}

/** Every digit that matters: the shortest text that reads back as the same double. */
export function full(x: number | undefined): string {
  if (x === undefined) return "none";
  return Object.is(x, -0) ? "-0" : String(x);
}

function trimZeros(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** "18 + 24", "18 - 24", "-3": the terms of a sum, with signs as one writes them. */
export function terms(
  values: readonly (number | undefined)[],
  show: (x: number | undefined) => string = short,
): string {
  let out = "";
  values.forEach((value, i) => {
    const text = show(value);
    if (i === 0) out = text;
    else out += text.startsWith("-") ? ` - ${text.slice(1)}` : ` + ${text}`;
  });
  return out;
}

/** A factor: negative numbers in brackets, so that `18 × (-1)` cannot be misread. */
export function factor(x: number): string {
  const text = short(x);
  return text.startsWith("-") ? `(${text})` : text;
}

/** Cuts at whole code points; the rest is on hover. */
export function ellipsis(text: string, limit: number): string {
  const points = Array.from(text);
  return points.length <= limit ? text : `${points.slice(0, limit - 1).join("")}…`;
}

/** Cuts in the middle, because what tells names apart stands at either end: `state@12`, `weights[3]`. */
export function middleEllipsis(text: string, limit: number): string {
  const points = Array.from(text);
  if (points.length <= limit) return text;
  const end = Math.floor((limit - 1) * 0.4);
  return `${points.slice(0, limit - 1 - end).join("")}…${points.slice(points.length - end).join("")}`;
}

/** The cotangent's own name: a macron over a one-letter name, words otherwise. */
export function barName(name: string): string {
  return /^\p{L}$/u.test(name) ? `${name}\u0304` : `cotangent of ${name}`;
}

const words = ["no", "one", "two", "three", "four", "five", "six"];

/** "two" to "six" in words, bigger counts in figures. */
export function countWord(n: number): string {
  return words[n] ?? String(n);
}

/** "1 use", "2 uses". */
export function plural(n: number | bigint, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 || n === 1n ? one : many}`;
}
