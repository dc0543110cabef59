/** The reference rows of revolve.json as objects. The fixture keeps every row, and the columns that are facts about counts. */
import { readFileSync } from "node:fs";

interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

type Tables = Readonly<Record<string, Table>>;

const file = JSON.parse(
  readFileSync(new URL("../../../fixtures/checkpointing/revolve.json", import.meta.url), "utf8"),
) as {
  readonly binomial: Table;
  readonly executed: Tables;
  readonly cpp_revolve: Tables;
  readonly simple: Tables;
};

export type Row = Readonly<Record<string, number>>;

const objects = <R>({ columns, rows }: Table): R[] =>
  rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])) as R);

export const binomialRows = objects<{
  readonly n: number;
  readonly s: number;
  readonly r: number;
  readonly advance: string;
  readonly fwd_total: string;
}>(file.binomial);
export const executedRows = (schedule: string): Row[] => objects<Row>(file.executed[schedule]);
export const cppRows = (mode: string): Row[] => objects<Row>(file.cpp_revolve[mode]);
export const simpleRows = (schedule: string): Row[] => objects<Row>(file.simple[schedule]);
