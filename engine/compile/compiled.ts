/** What compiling a module gives. */
export interface ModuleImport {
  readonly specifier: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly dynamic: boolean;
  /** imported names ("default", "*" for a namespace); empty for a bare or dynamic import */
  readonly names: readonly string[];
}

/** Static sites by column; offsets are into the source text, `func` indexes `funcs`, -1 is the module itself. */
export interface StaticSites {
  readonly line: readonly number[];
  readonly col: readonly number[];
  readonly endLine: readonly number[];
  readonly endCol: readonly number[];
  readonly start: readonly number[];
  readonly end: readonly number[];
  readonly func: readonly number[];
  readonly funcs: readonly string[];
}

export interface CompiledModule {
  readonly file: string;
  /** ESM text; line n stands on line n of the source */
  readonly code: string;
  readonly sites: StaticSites;
  /** names assigned to in the module, per function (index 0: the module) */
  readonly names: readonly (readonly string[])[];
  /** column of the source for a column of the code, both from 1; lines are the same */
  columnMap(line: number, column: number): number;
  readonly imports: readonly ModuleImport[];
  /** true if `graph` is imported from "backsweep": the module may hold graph definitions */
  readonly mayHoldGraphs: boolean;
}
