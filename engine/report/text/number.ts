/** One number as people read it. */

/** At most four significant digits; whole numbers up to six digits stand as they are. */
export function shortNumber(x: number): string {
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

/** Three significant digits: the norm of an array where room is small. */
export function tinyNumber(x: number): string {
  return Number.isFinite(x) ? shortNumber(Number(x.toPrecision(3))) : String(x);
}

/** Every digit that matters: the shortest text that reads back as the same double. */
export function fullNumber(x: number): string {
  return Object.is(x, -0) ? "-0" : String(x);
}

function trimZeros(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
