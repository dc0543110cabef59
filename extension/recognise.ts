/**
 * Which graphs a file exports, without parsing it: `export const NAME = graph(` and `export default graph(` where
 * `graph` is what the file imports from "backsweep". Comments, strings and another library's `graph` do not count. What
 * it does not see (a graph exported by `export { name }`) can still be run by the command.
 */
import { eachToken, type TokenKind } from "./tokens.js";

interface Token {
  readonly kind: TokenKind;
  /** of a string: its content */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface FoundGraph {
  /** exported name; "default" for the default export */
  readonly name: string;
  /** offsets of the name (of `default`) in the text */
  readonly start: number;
  readonly end: number;
}

export interface Recognised {
  /** the file imports something from "backsweep" at run time */
  readonly imports: boolean;
  readonly graphs: readonly FoundGraph[];
}

/** Longer texts are not looked at: they are generated, and the scan must not be felt while typing. */
export const RECOGNISE_LIMIT = 1_000_000;

const none: Recognised = { imports: false, graphs: [] };

/** The functions of "backsweep" that make a graph, and an engine to be audited. */
const GRAPHS: ReadonlySet<string> = new Set(["graph"]);
const AUDITS: ReadonlySet<string> = new Set(["audit", "auditSweep"]);

/** The engines a file exports for an audit: `export const NAME = audit(` or `auditSweep(`. */
export function recogniseAudits(text: string): readonly FoundGraph[] {
  return recognise(text, AUDITS).graphs;
}

export function recognise(text: string, makers = GRAPHS): Recognised {
  // most files never name the package: they cost one search
  if (text.length > RECOGNISE_LIMIT || !/["']backsweep["']/.test(text)) return none;
  const list = topLevel(text);
  const names = new Set<string>();
  const namespaces = new Set<string>();
  let imports = false;
  for (let i = 0; i < list.length; i++) {
    if (is(list[i], "import")) imports = readImport(list, i, makers, names, namespaces) || imports;
  }
  const graphs: FoundGraph[] = [];
  for (let i = 0; imports && i < list.length; i++) {
    if (!is(list[i], "export")) continue;
    const found = readExport(list, i + 1, { makers, names, namespaces });
    if (found) graphs.push(found);
  }
  return { imports, graphs };
}

/** tokens of one statement that are looked at, at most */
const STATEMENT_LIMIT = 1_000;

/**
 * The tokens of import and export statements that stand outside every bracket; a bracket pair stands as its two marks.
 * The names in an import's braces are kept. All other tokens of a text are only counted over.
 */
function topLevel(text: string): Token[] {
  const list: Token[] = [];
  let depth = 0;
  let keep = false;
  let room = 0;
  eachToken(text, (kind, start, end) => {
    const mark = kind === "mark" ? text[start] : "";
    if (mark === ")" || mark === "]" || mark === "}") depth = Math.max(0, depth - 1);
    const opens = mark === "(" || mark === "[" || mark === "{";
    if (depth === 0 && kind === "word" && end - start === 6)
      if (text.startsWith("import", start) || text.startsWith("export", start)) room = STATEMENT_LIMIT;
    if (room > 0) {
      if (opens && depth === 0) {
        const before = list.at(-1);
        keep = mark === "{" && (is(before, "import") || is(before, "type") || is(before, ","));
      }
      if (depth === 0 || (keep && depth === 1)) {
        room = depth === 0 && mark === ";" ? 0 : room - 1;
        const content = kind === "string" ? text.slice(start + 1, end - 1) : text.slice(start, end);
        // cut off or not, what is read of one statement must not run on into the next
        list.push(room === 0 ? { kind: "mark", text: ";", start, end } : { kind, text: content, start, end });
      }
    }
    if (opens) depth++;
  });
  return list;
}

function is(token: Token | undefined, text: string): boolean {
  return token !== undefined && token.kind !== "string" && token.kind !== "value" && token.text === text;
}

/** Reads `import ... from "backsweep"`; adds what the makers are called there. */
function readImport(
  list: readonly Token[],
  at: number,
  makers: ReadonlySet<string>,
  names: Set<string>,
  namespaces: Set<string>,
): boolean {
  if (is(list[at + 1], "type") && !is(list[at + 2], "from") && !is(list[at + 2], ",")) return false;
  let from = at + 1;
  while (
    from < list.length &&
    !is(list[from], "from") &&
    list[from].kind !== "string" &&
    !is(list[from], ";")
  )
    from++;
  const source = list[from + 1];
  if (!is(list[from], "from") || source?.kind !== "string" || source.text !== "backsweep") return false;
  let braces = false;
  for (let i = at + 1; i < from; i++) {
    if (is(list[i], "{")) braces = true;
    if (is(list[i], "*") && is(list[i + 1], "as")) namespaces.add(list[i + 2].text);
    const { kind, text } = list[i];
    if (!braces || kind === "string" || kind === "value" || !makers.has(text)) continue;
    if (is(list[i - 1], "as") || is(list[i - 1], "type")) continue;
    names.add(is(list[i + 1], "as") ? list[i + 2].text : text);
  }
  return true;
}

/** What a file calls the makers, and the package. */
interface Known {
  readonly makers: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
}

function readExport(list: readonly Token[], at: number, known: Known): FoundGraph | null {
  const head = list[at];
  if (is(head, "default")) return callsMaker(list, at + 1, known) ? foundAt("default", head) : null;
  if (!is(head, "const") && !is(head, "let") && !is(head, "var")) return null;
  const name = list[at + 1];
  if (name?.kind !== "word") return null;
  let i = at + 2;
  if (is(list[i], ":"))
    while (i < list.length && !is(list[i], ";") && !(is(list[i], "=") && !is(list[i + 1], ">"))) i++;
  return is(list[i], "=") && callsMaker(list, i + 1, known) ? foundAt(name.text, name) : null;
}

function foundAt(name: string, token: Token): FoundGraph {
  return { name, start: token.start, end: token.end };
}

/** `graph(`, `graph<...>(` or `namespace.graph(` at this place. */
function callsMaker(list: readonly Token[], at: number, { makers, names, namespaces }: Known): boolean {
  const head = list[at];
  if (head?.kind !== "word") return false;
  let i = at + 1;
  if (namespaces.has(head.text) && is(list[i], ".") && makers.has(list[i + 1]?.text ?? "")) i += 2;
  else if (!names.has(head.text)) return false;
  if (is(list[i], "<")) {
    let open = 0;
    do {
      if (is(list[i], "<")) open++;
      // the `>` of an arrow type closes nothing
      else if (is(list[i], ">") && !is(list[i - 1], "=")) open--;
      i++;
    } while (open > 0 && i < list.length);
  }
  return is(list[i], "(");
}
