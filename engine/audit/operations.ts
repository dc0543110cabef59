/** The operations an audit may use, from the adapter's names: values and partial derivatives out of the one table. */
import { broadcastShapes } from "../ops/array/broadcast.js";
import { isPrimitive, primitive, primitives } from "../ops/table.js";
import { BacksweepError } from "../trace/failure.js";
import type { AnyEngine, OwnOperation } from "./definition.js";

/** How an operation acts on arrays; a scalar engine has only the first. */
export type OperationKind = "elementwise" | "sum" | "mean" | "matmul";

export interface AuditOperation {
  readonly name: string;
  readonly kind: OperationKind;
  readonly arity: number;
  /** plain value; null where the engine decides */
  readonly value: ((operands: readonly number[]) => number) | null;
  /** partial derivatives at the operands, `y` the value */
  readonly locals: (operands: readonly number[], y: number) => readonly number[];
  /** true where it is not differentiable */
  readonly isKink: (operands: readonly number[]) => boolean;
  /** it has kinks or jumps, or may have: points near them are left out */
  readonly branches: boolean;
  /** operands of unlike shapes may be tried; see `broadcasting` */
  readonly broadcasts: boolean;
  /** shapes of operands that the engine refused, joined by bars: not tried again */
  readonly refused: Set<string>;
  /** null for an operation of the user's own, which no explicit call of ours stands for */
  readonly call: { readonly infix: string | null } | null;
}

const arrayKinds: Readonly<Record<string, { kind: OperationKind; arity: number }>> = {
  sum: { kind: "sum", arity: 1 },
  mean: { kind: "mean", arity: 1 },
  matmul: { kind: "matmul", arity: 2 },
};

const never = (): boolean => false;

/** The row of a primitive as the audit uses it. */
export function fromTable(name: string): AuditOperation {
  const row = primitive(name);
  return {
    name,
    kind: "elementwise",
    arity: row.arity,
    value: ([a, b, c]) => row.value(a, b, c),
    locals: ([a, b, c], y) => row.local.map((local) => local(a, b, c, y)),
    isKink: ([a, b, c]) => row.kink?.at(a, b, c) === true,
    branches: row.kink !== undefined,
    broadcasts: true,
    refused: new Set(),
    call: { infix: row.infix },
  };
}

function arrayOperation(name: string): AuditOperation {
  const { kind, arity } = arrayKinds[name];
  return {
    name,
    kind,
    arity,
    value: () => Number.NaN,
    locals: () => [],
    isKink: never,
    branches: false,
    broadcasts: true,
    refused: new Set(),
    call: { infix: null },
  };
}

function own(name: string, given: OwnOperation<unknown>, site: number): AuditOperation {
  const { apply, value, locals } = given;
  const fail = (message: string): never => {
    throw new BacksweepError("definition", `audit: operation "${name}": ${message}`, site);
  };
  if (typeof apply !== "function") fail("apply must be a function");
  if (typeof locals !== "function")
    fail("locals must be a function: the partial derivatives, one an operand");
  if (value !== undefined && typeof value !== "function") fail("value must be a function");
  const arity = apply.length > 0 ? apply.length : (value?.length ?? 0);
  if (arity < 1 || arity > 3) fail("apply must take one to three operands");
  return {
    name,
    kind: "elementwise",
    arity,
    value: value === undefined ? null : (operands) => value(...operands),
    locals: (operands, y) => {
      const found = locals(...operands, y);
      if (!Array.isArray(found) || found.length !== arity || found.some((x) => typeof x !== "number"))
        fail(`locals must give ${arity} ${arity === 1 ? "number" : "numbers"}, one an operand`);
      return found;
    },
    isKink: never,
    branches: true,
    broadcasts: true,
    refused: new Set(),
    call: null,
  };
}

function near(name: string): string {
  const lower = name.toLowerCase();
  const found = primitives.find((row) => row.name.toLowerCase() === lower || lower.startsWith(row.name));
  return found === undefined ? "; " : `; did you mean "${found.name}"? Otherwise `;
}

/** An engine whose leaves take one shape, or shapes that never meet, is asked for no broadcasting: it may have none. */
function broadcasting({ shapes }: AnyEngine): boolean {
  if (shapes === undefined) return true;
  return shapes.some((a) =>
    shapes.some((b) => {
      if (String(a) === String(b)) return false;
      try {
        broadcastShapes("add", [a, b]);
        return true;
      } catch {
        return false;
      }
    }),
  );
}

/**
 * @throws BacksweepError `definition` for a name that is no primitive and has no rule of its own
 */
export function operationsOf(engine: AnyEngine, site: number): AuditOperation[] {
  const array = engine.mode === "array";
  const broadcasts = broadcasting(engine);
  const rows = Object.entries(engine.operations).map(([name, given]) => {
    if (name.trim() === "")
      throw new BacksweepError("definition", "audit: an operation has an empty name", site);
    if (typeof given === "function") {
      if (array && Object.hasOwn(arrayKinds, name)) return arrayOperation(name);
      if (isPrimitive(name)) return fromTable(name);
      throw new BacksweepError(
        "definition",
        `audit: "${name}" is no primitive of the table${near(name)}give its derivatives: { apply, value, locals }`,
        site,
      );
    }
    if (typeof given !== "object" || given === null)
      throw new BacksweepError(
        "definition",
        `audit: operation "${name}" must be a function, or { apply, value, locals }`,
        site,
      );
    return own(name, given as OwnOperation<unknown>, site);
  });
  return rows.map((row) => ({ ...row, broadcasts }));
}

/** What stands on the tapes a bare sweep is given: nodes with one or two parents, local derivatives of every size. */
export const sweepOperations: readonly AuditOperation[] = [
  "add",
  "sub",
  "mul",
  "div",
  "neg",
  "sin",
  "tanh",
  "exp",
].map(fromTable);
