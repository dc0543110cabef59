/** Where a Python text cannot be parsed. The grammar reads on behind it, so that this is no failure of the lint. */
import type { Place } from "../report.js";
import { walkSyntax, type PythonParser, type Syntax } from "./syntax.js";

export interface BrokenPlace extends Place {
  /** what is told of it; which of several lines is wrong the grammar does not say */
  readonly message: string;
}

/** The first place that the grammar could not read, null where it read everything. */
export function brokenPython(text: string, parser: PythonParser): BrokenPlace | null {
  let first: Syntax | null = null;
  walkSyntax(parser.parse(text), (node) => {
    if (first === null && (node.type === "ERROR" || isMadeUp(node))) first = node;
    return first === null;
  });
  return first === null ? null : placeOf(first, text);
}

/** What the grammar put in to go on, the body of a function without one for example, has no width. */
const isMadeUp = ({ type, start, end, children }: Syntax): boolean =>
  start === end && children.length === 0 && type !== "module";

function placeOf({ start, end }: Syntax, text: string): BrokenPlace {
  const [line, column] = at(start, text);
  const [last] = at(Math.max(start, text.slice(0, end).trimEnd().length - 1), text);
  return {
    line,
    column,
    endLine: line,
    endColumn: column + 1,
    message: last > line ? `cannot be parsed between here and line ${last}` : "cannot be parsed here",
  };
}

function at(offset: number, text: string): [number, number] {
  const lines = text.slice(0, offset).split(/\r\n|[\n\r]/);
  return [lines.length, lines.at(-1)!.length + 1];
}
