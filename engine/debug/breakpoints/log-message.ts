/** Log messages: text with expressions in braces, `bar(a) is {bar(a)}`; `{{` and `}}` are braces. */
import { evaluate } from "../expression/evaluate.js";
import type { Context } from "../expression/lookup.js";
import { parseExpression, type Expression } from "../expression/parse.js";
import { ExpressionError } from "../expression/tokens.js";
import { valueText } from "../expression/value.js";

export type LogMessage = readonly (string | Expression)[];

/** Throws `ExpressionError` where a brace is not closed or an expression is wrong. */
export function parseLogMessage(text: string): LogMessage {
  const parts: (string | Expression)[] = [];
  let plain = "";
  let at = 0;
  while (at < text.length) {
    const two = text.slice(at, at + 2);
    if (two === "{{" || two === "}}") {
      plain += two[0];
      at += 2;
    } else if (text[at] === "{") {
      const end = text.indexOf("}", at);
      if (end < 0) throw new ExpressionError("a { without its }", at + 1);
      if (plain !== "") parts.push(plain);
      plain = "";
      parts.push(expressionAt(text.slice(at + 1, end), at + 1));
      at = end + 1;
    } else plain += text[at++];
  }
  if (plain !== "") parts.push(plain);
  return parts;
}

/** Columns of errors are the message's. */
function expressionAt(text: string, offset: number): Expression {
  try {
    return parseExpression(text);
  } catch (error) {
    if (error instanceof ExpressionError) throw new ExpressionError(error.detail, error.column + offset);
    throw error;
  }
}

/** What is written at a place; an expression that has no value there says why. */
export function logText(message: LogMessage, context: Context): string {
  return message
    .map((part) => {
      if (typeof part === "string") return part;
      try {
        return valueText(evaluate(part, context));
      } catch (error) {
        if (error instanceof ExpressionError) return `<${error.detail}>`;
        throw error;
      }
    })
    .join("");
}
