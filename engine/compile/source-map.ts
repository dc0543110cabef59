/**
 * The column map of a compiled module as a source map (ECMA-426, version 3 of the format), for hosts that show places and
 * lines of errors themselves. Lines are the same, so each line maps to itself; a mapping stands at every word and sign of
 * the rewritten text whose source column is not where the one before would put it.
 */
import type { CompiledModule } from "./compiled.js";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** Five bits a digit, the sign in the lowest bit of the first, the sixth bit where more follow. */
const BITS = 5;
const MORE = 1 << BITS;

function quantity(x: number): string {
  let rest = x < 0 ? (-x << 1) | 1 : x << 1;
  let out = "";
  do {
    const low = rest & (MORE - 1);
    rest >>>= BITS;
    out += DIGITS[rest > 0 ? low | MORE : low];
  } while (rest > 0);
  return out;
}

const word = /[\p{ID_Continue}$]+|[^\s\p{ID_Continue}$]/gu;
const lineEnd = /\r\n|[\n\r\u2028\u2029]/;

/**
 * The map as JSON.
 *
 * @param compiled the module
 * @param text its source
 * @param url what the source is called where its places are shown
 */
export function sourceMapOf({ code, columnMap }: CompiledModule, text: string, url: string): string {
  let sourceLine = 0;
  let sourceColumn = 0;
  const rows = code.split(lineEnd).map((row, line) => {
    const segments: string[] = [];
    let generated = 0;
    for (const { index } of row.matchAll(word)) {
      const column = columnMap(line + 1, index + 1) - 1;
      // the prologue, and whatever else is inserted, is one place: its first mapping holds for all of it
      if (segments.length > 0 && column === sourceColumn) continue;
      segments.push([index - generated, 0, line - sourceLine, column - sourceColumn].map(quantity).join(""));
      generated = index;
      sourceLine = line;
      sourceColumn = column;
    }
    return segments.join(",");
  });
  return JSON.stringify({
    version: 3,
    sources: [url],
    sourcesContent: [text],
    names: [],
    mappings: rows.join(";"),
  });
}
