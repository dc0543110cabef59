/**
 * The column map of a compiled module as a source map (ECMA-426, version 3 of the format), for hosts that show places and
 * lines of errors themselves. Lines are the same, so each line maps to itself; a mapping stands at every word and sign of
 * the rewritten text whose source column is not where the one before would put it.
 */
import { encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";
import type { CompiledModule } from "./compiled.js";

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
  let source = -1;
  const mappings = code.split(lineEnd).map((row, line) => {
    const segments: SourceMapSegment[] = [];
    for (const { index } of row.matchAll(word)) {
      const column = columnMap(line + 1, index + 1) - 1;
      // the prologue, and whatever else is inserted, is one place: its first mapping holds for all of it
      if (segments.length > 0 && column === source) continue;
      segments.push([index, 0, line, column]);
      source = column;
    }
    return segments;
  });
  return JSON.stringify({
    version: 3,
    sources: [url],
    sourcesContent: [text],
    names: [],
    mappings: encode(mappings),
  });
}
