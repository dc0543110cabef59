/**
 * The syntax tree of a Python file as the lowering reads it: plain objects, whoever parsed. Kinds and fields are those of
 * the grammar `tree-sitter-python`. Offsets count UTF-16 code units, as JavaScript's strings do.
 */
export interface Syntax {
  readonly type: string;
  /** false for keywords, operators and punctuation */
  readonly named: boolean;
  /** the name of the field it is in its parent, "" when it is in none */
  readonly field: string;
  readonly start: number;
  readonly end: number;
  readonly children: readonly Syntax[];
}

/** Parses a text whatever is wrong with it: what cannot be read is an `ERROR` in the tree. */
export interface PythonParser {
  parse(text: string): Syntax;
}

/** The first child in a field, null when there is none. */
export function part(node: Syntax, field: string): Syntax | null {
  for (const child of node.children) if (child.field === field && child.type !== "comment") return child;
  return null;
}

/** All children in a field. */
export function parts(node: Syntax, field: string): readonly Syntax[] {
  return node.children.filter((child) => child.field === field && child.type !== "comment");
}

/** Children that are no punctuation and no comments. */
export function named(node: Syntax): readonly Syntax[] {
  return node.children.filter((child) => child.named && child.type !== "comment");
}

export const childOfType = (node: Syntax, type: string): Syntax | null =>
  node.children.find((child) => child.type === type) ?? null;

/** The expression without parentheses around it. */
export function unwrapped(node: Syntax): Syntax {
  let inner = node;
  while (inner.type === "parenthesized_expression") {
    const next = named(inner)[0];
    if (next === undefined) break;
    inner = next;
  }
  return inner;
}

/** Preorder, without recursion. `enter` may return false to skip what is inside. */
export function walkSyntax(root: Syntax, enter: (node: Syntax) => boolean | void): void {
  const stack: Syntax[] = [root];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (enter(node) === false) continue;
    for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]);
  }
}
