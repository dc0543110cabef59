/** One edit from a text to another that leaves alone what both begin and end with. Offsets into the first. */
export function trimmedEdit(from: string, to: string): { start: number; end: number; text: string } {
  const most = Math.min(from.length, to.length);
  let start = 0;
  while (start < most && from.charCodeAt(start) === to.charCodeAt(start)) start++;
  let tail = 0;
  while (
    tail < most - start &&
    from.charCodeAt(from.length - 1 - tail) === to.charCodeAt(to.length - 1 - tail)
  )
    tail++;
  return { start, end: from.length - tail, text: to.slice(start, to.length - tail) };
}
