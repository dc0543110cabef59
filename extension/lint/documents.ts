/** Which documents are linted, and by what name the lint knows their language. */
import type * as vscode from "vscode";

export const lintedLanguages = [
  "typescript",
  "javascript",
  "typescriptreact",
  "javascriptreact",
  "python",
] as const;

const ENDINGS: Readonly<Record<string, string>> = {
  typescript: ".ts",
  javascript: ".js",
  typescriptreact: ".tsx",
  javascriptreact: ".jsx",
  python: ".py",
};

/** Schemes whose documents one writes; the others show texts (a version of git, a diff, an output). */
const SCHEMES = new Set(["file", "untitled", "vscode-vfs", "vscode-remote", "memfs", "vscode-notebook-cell"]);

/** Texts of packages and declarations are not linted, as on the command line. */
export function isLinted({ languageId, uri }: Pick<vscode.TextDocument, "languageId" | "uri">): boolean {
  return (
    languageId in ENDINGS &&
    SCHEMES.has(uri.scheme) &&
    !/\/(?:node_modules|site-packages)\/|\.d\.[mc]?ts$/i.test(uri.path)
  );
}

/** A file name whose ending says the language. */
export function lintName({ languageId, uri }: Pick<vscode.TextDocument, "languageId" | "uri">): string {
  return /\.(?:[mc]?[jt]s|[jt]sx|pyw?)$/i.test(uri.path)
    ? uri.path
    : `${uri.path}${ENDINGS[languageId] ?? ".ts"}`;
}
