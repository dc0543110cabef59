import type { Finding } from "../../report.js";

/** In the order of the text, one finding a place: what two ways of looking have both found is said once. */
export function* oncePerPlace(found: Finding[]): Iterable<Finding> {
  found.sort((a, b) => a.start - b.start);
  let last = -1;
  for (const finding of found) {
    if (finding.start === last) continue;
    last = finding.start;
    yield finding;
  }
}
