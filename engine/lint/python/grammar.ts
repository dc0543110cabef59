/**
 * The Python grammar in WebAssembly: tree-sitter's runtime (`web-tree-sitter`) with the grammar `tree-sitter-python`. The
 * bytes of both are handed in, so that nothing here knows of files.
 */
import { Language, Parser, type TreeCursor } from "web-tree-sitter";
import type { PythonParser, Syntax } from "./syntax.js";

type Open = { -readonly [key in keyof Syntax]: Syntax[key] } & { children: Syntax[] };

/**
 * Starts the runtime and the grammar.
 * @throws Error when the bytes are none of this grammar
 */
export async function loadGrammar(bytes: {
  readonly runtime: Uint8Array;
  readonly grammar: Uint8Array;
}): Promise<PythonParser> {
  await Parser.init({ wasmBinary: bytes.runtime });
  const language = await Language.load(bytes.grammar);
  const parser = new Parser();
  parser.setLanguage(language);
  const kind = kindsOf(language);
  return {
    parse(text) {
      // null only without a language or after a cancellation, and there is neither
      const tree = parser.parse(text)!;
      const cursor = tree.walk();
      try {
        return copied(cursor, language, kind);
      } finally {
        cursor.delete();
        tree.delete();
      }
    },
  };
}

/** What is known of a kind of node before its fields are asked for. Each question is a call into WebAssembly. */
interface Kind {
  readonly type: string;
  readonly named: boolean;
  /** punctuation and keywords that say nothing beside the node they are in */
  readonly skipped: boolean;
  /** has no parts */
  readonly leaf: boolean;
}

const LEAVES = new Set([
  "identifier",
  "integer",
  "float",
  "true",
  "false",
  "none",
  "ellipsis",
  "comment",
  "string_start",
  "string_end",
  "escape_sequence",
  "pass_statement",
  "break_statement",
  "continue_statement",
]);
/** Tokens that the lowering looks at. */
const TOLD = /^(?:[-+*/%@&|^~<>]+|<<|>>|[-+*/%@&|^<>=!]+=|:|:=|and|or|not|in|is|not in|is not|async)$/;

function kindsOf(language: Language): (id: number) => Kind {
  const known: Kind[] = [];
  return (id) =>
    (known[id] ??= ((): Kind => {
      const type = language.nodeTypeForId(id) ?? "ERROR";
      const named = type === "ERROR" || language.nodeTypeIsNamed(id);
      return { type, named, skipped: !named && !TOLD.test(type), leaf: !named || LEAVES.has(type) };
    })());
}

/** The tree out of WebAssembly's memory, in one walk and without recursion. */
function copied(cursor: TreeCursor, language: Language, kind: (id: number) => Kind): Syntax {
  const node = (of: Kind): Open => ({
    type: of.type,
    named: of.named,
    field: language.fieldNameForId(cursor.currentFieldId) ?? "",
    start: cursor.startIndex,
    end: cursor.endIndex,
    children: [],
  });
  let at = kind(cursor.nodeTypeId);
  const root = node(at);
  const path: Open[] = [root];
  for (let open = path[0]; ;) {
    if (!at.leaf && cursor.gotoFirstChild()) path.push(open);
    else
      while (!cursor.gotoNextSibling()) {
        path.pop();
        if (path.length < 2 || !cursor.gotoParent()) return root;
      }
    at = kind(cursor.nodeTypeId);
    if (at.skipped) continue;
    open = node(at);
    path[path.length - 1].children.push(open);
  }
}
