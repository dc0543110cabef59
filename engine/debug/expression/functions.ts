/** Functions of numbers that an expression may call, by name. */
type Numeric = (...numbers: number[]) => number | boolean;

interface Row {
  readonly least: number;
  readonly most: number;
  readonly of: Numeric;
}

const one = (of: (x: number) => number | boolean): Row => ({ least: 1, most: 1, of });

export const numericFunctions: ReadonlyMap<string, Row> = new Map<string, Row>([
  ["abs", one(Math.abs)],
  ["sqrt", one(Math.sqrt)],
  ["cbrt", one(Math.cbrt)],
  ["exp", one(Math.exp)],
  ["log", one(Math.log)],
  ["log2", one(Math.log2)],
  ["log10", one(Math.log10)],
  ["sin", one(Math.sin)],
  ["cos", one(Math.cos)],
  ["tan", one(Math.tan)],
  ["tanh", one(Math.tanh)],
  ["floor", one(Math.floor)],
  ["ceil", one(Math.ceil)],
  ["round", one(Math.round)],
  ["trunc", one(Math.trunc)],
  ["sign", one(Math.sign)],
  ["isNaN", one(Number.isNaN)],
  ["isFinite", one(Number.isFinite)],
  ["pow", { least: 2, most: 2, of: (x, y) => x ** y }],
  ["hypot", { least: 1, most: 64, of: Math.hypot }],
  ["min", { least: 1, most: 64, of: Math.min }],
  ["max", { least: 1, most: 64, of: Math.max }],
]);

/** Statistics of an array; of a number they are the number (its magnitude for `norm`). */
export const arrayFunctions: ReadonlySet<string> = new Set(["norm", "min", "max", "mean", "sum"]);
