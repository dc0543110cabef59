/** The part of ESLint that a rule meets, by shape: the package must not need ESLint's own types. */
import type { Node } from "../engine/lint/tree.js";

export interface Range {
  readonly line: number;
  /** from 0, as ESLint counts */
  readonly column: number;
}

export interface Fix {
  readonly range: [number, number];
  readonly text: string;
}

export interface Fixer {
  replaceTextRange(range: [number, number], text: string): Fix;
}

export interface Problem {
  readonly loc: { readonly start: Range; readonly end: Range };
  readonly message: string;
  readonly fix?: ((fixer: Fixer) => Fix[]) | null;
  readonly suggest?: { readonly desc: string; readonly fix: (fixer: Fixer) => Fix[] }[];
}

export interface SourceCode {
  readonly text: string;
  readonly ast: object;
  getAllComments(): readonly { readonly value: string; readonly range?: [number, number] | undefined }[];
  getLocFromIndex(index: number): Range;
}

export interface Context {
  /** `SourceCode` where the language is JavaScript, as it must be here; ESLint's types know of others */
  readonly sourceCode: object;
  readonly options: readonly unknown[];
  readonly settings: Readonly<Record<string, unknown>>;
  report(problem: Problem): void;
}

export interface RuleModule {
  readonly meta: {
    readonly type: "problem";
    readonly docs: { readonly description: string; readonly recommended: boolean };
    readonly fixable: "code";
    readonly hasSuggestions: true;
    readonly schema: [
      {
        readonly type: "object";
        readonly properties: Readonly<Record<string, object>>;
        readonly additionalProperties: false;
      },
    ];
  };
  create(context: Context): { Program(): void };
}

export const sourceOf = (context: Context): SourceCode => context.sourceCode as SourceCode;

/** ESLint's tree is ours: both are ESTree, and tree.ts levels what parsers make differently. */
export const treeOf = (sourceCode: SourceCode): Node => sourceCode.ast as Node;
