/** One JSON document in pieces: the first level of it a key a line, a list of records a row a line. */
import { jsonValue } from "./json-value.js";

/** Rows joined by commas, one a line. */
function* rows(values: readonly unknown[], indent: string): Generator<string> {
  let mark = `[\n${indent}  `;
  for (const value of values) {
    yield mark;
    if (isDocument(value)) yield* document(value, `${indent}  `);
    else yield jsonValue(value);
    mark = `,\n${indent}  `;
  }
  yield `\n${indent}]`;
}

type Plain = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

/** A record with lists of records in it is written over several lines. */
function isDocument(value: unknown): value is Plain {
  return isRecord(value) && Object.values(value).some(isTable);
}

function isTable(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && (isRecord(value[0]) || Array.isArray(value[0]));
}

function* document(value: Plain, indent: string): Generator<string> {
  let mark = `{\n${indent}  `;
  for (const [key, child] of Object.entries(value)) {
    if (child === undefined) continue;
    yield `${mark}${JSON.stringify(key)}: `;
    if (isTable(child)) yield* rows(child, `${indent}  `);
    else if (isDocument(child)) yield* document(child, `${indent}  `);
    else yield jsonValue(child);
    mark = `,\n${indent}  `;
  }
  yield `\n${indent}}`;
}

/** The whole document, with a line break at its end. Typed arrays are lists, undefined entries are left out. */
export function* jsonDocument(value: Plain): Generator<string> {
  yield* document(value, "");
  yield "\n";
}
