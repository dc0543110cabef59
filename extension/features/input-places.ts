/**
 * Where a graph's inputs are named: in the parameters of its function, else in the object that gives their values. The
 * trace knows only the whole call. Read from tokens, not from a syntax tree: a name that is not found has no mark.
 */
import { eachToken, type TokenKind } from "../tokens.js";

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface InputPlace {
  readonly start: number;
  readonly end: number;
}

/** Offsets of the names in the text; the call of `graph` stands from `start` to `end`. */
export function inputPlaces(
  text: string,
  start: number,
  end: number,
  names: readonly string[],
): Map<string, InputPlace> {
  const wanted = new Set(names);
  const values: Word[] = [];
  const parameters: Word[] = [];
  // depth 1 is inside the call's own parentheses
  let depth = 0;
  let group: "" | "value" | "parameters" | "over" = "";
  let awaitsValue = false;
  eachToken(text.slice(start, end), (kind: TokenKind, from, to) => {
    const token = text.slice(start + from, start + to);
    if (kind === "mark" && (token === "(" || token === "[" || token === "{")) {
      if (depth === 1 && token === "{" && group === "") group = "value";
      else if (depth === 1 && token === "(" && group !== "over") group = "parameters";
      depth++;
      awaitsValue = false;
      return;
    }
    if (kind === "mark" && (token === ")" || token === "]" || token === "}")) {
      depth--;
      // the body of the function follows its parameters
      if (depth === 1 && group === "parameters") group = "over";
      // what follows a bracketed part of a value still belongs to the value
      awaitsValue = depth >= 2;
      return;
    }
    const word = { text: token, start: start + from, end: start + to };
    if (kind === "word" && wanted.has(token) && !awaitsValue) {
      if (group === "value" && depth === 2) values.push(word);
      else if (group === "parameters" && depth >= 2) parameters.push(word);
    }
    // in `x: 2` the name is what stands before the colon
    if (kind === "mark") awaitsValue = token === ":" || (awaitsValue && token !== ",");
  });
  const out = new Map<string, InputPlace>();
  for (const { text: name, start: from, end: to } of [...parameters, ...values])
    if (!out.has(name)) out.set(name, { start: from, end: to });
  return out;
}
