/**
 * The state of one rewriting: the edits so far, the site table, and where in the program the visitor stands. Handlers
 * per node type live in the files beside this one.
 */
import type { Node } from "@babel/types";
import type { Bindings, Binding, BlockScope } from "../bindings.js";
import type { Edits } from "../edits.js";
import { CompileError, type CompileErrorKind } from "../errors.js";
import type { Lines } from "../lines.js";
import { eachChild } from "../tree.js";
import type { ModuleImport } from "../compiled.js";
import { NewestNodes } from "./newest.js";

/** How a value is used: kept, thrown away, or only tested for truth. */
export type Use = "value" | "void" | "test";

/** One function of the module (frame 0 is the module itself), as code is emitted into it. */
export interface Frame {
  readonly index: number;
  readonly name: string;
  /** the variable that holds its scope object */
  readonly variable: string;
  readonly site: number;
  /** slot numbers by assigned name; a property's name starts with a dot */
  readonly slots: Map<string, number>;
  readonly temps: string[];
  /** something in it needs the scope object */
  used: boolean;
  /** it makes calls, so the call site must be restored when it is left */
  calls: boolean;
}

export interface LoopRow {
  readonly name: string;
  readonly site: number;
  readonly frame: number;
}

export interface SiteRow {
  readonly start: number;
  readonly end: number;
  /** frame index, 0 for the module */
  readonly frame: number;
}

export type Handler = (e: Emitter, node: never, use: Use) => void;

export class Emitter {
  readonly sites: SiteRow[] = [];
  readonly frames: Frame[] = [];
  readonly loops: LoopRow[] = [];
  readonly imports: ModuleImport[] = [];
  readonly frameOf = new Map<Node, Frame>();
  /** what a function without a name of its own is called, from where it stands */
  readonly nameHints = new Map<Node, string>();
  /** members per namespace name, for later blocks of the same namespace */
  readonly namespaces = new Map<string, Set<string>>();
  /** values of properties that stand in patterns: targets, not expressions */
  readonly patterns = new WeakSet<Node>();
  /** enums and namespaces met so far, by the scope they are declared in */
  readonly lowered = new WeakMap<BlockScope, Set<string>>();
  frame!: Frame;
  /** the innermost scope object's variable */
  scopeVar!: string;
  scope: BlockScope;
  /** variables for intermediate values would not be those of the code that runs (see `inline.ts`) */
  noTemps = false;
  readonly newest = new NewestNodes();
  private count = 0;

  constructor(
    readonly text: string,
    readonly file: string,
    readonly edits: Edits,
    readonly lines: Lines,
    readonly bindings: Bindings,
    /** prefix of every generated name; the source does not contain it */
    readonly prefix: string,
    private readonly handlers: ReadonlyMap<string, Handler>,
  ) {
    this.scope = bindings.root;
  }

  visit(node: Node, use: Use = "value"): void {
    const inner = this.bindings.scopes.get(node);
    const outer = this.scope;
    if (inner) this.scope = inner;
    const decorator = (node as { decorators?: readonly Node[] | null }).decorators?.[0];
    if (decorator) this.fail("refused", "decorators are not supported", decorator.start!, decorator.end!);
    const handler = this.handlers.get(node.type);
    if (handler) (handler as (e: Emitter, node: Node, use: Use) => void)(this, node, use);
    else this.children(node);
    this.scope = outer;
  }

  /** Visits code that runs apart from the function its frame belongs to. */
  visitApart(visit: () => void): void {
    const outer = this.noTemps;
    this.noTemps = true;
    visit();
    this.noTemps = outer;
  }

  children(node: Node): void {
    eachChild(node, (child) => this.visit(child));
  }

  /** Children except one. */
  childrenBut(node: Node, except: Node | null): void {
    eachChild(node, (child) => {
      if (child !== except) this.visit(child);
    });
  }

  addImport(specifier: string, place: Node, dynamic: boolean, names: readonly string[]): void {
    this.imports.push({ specifier, dynamic, names, ...this.lines.place(place.start!, place.end!) });
  }

  /** Registers a source range; returns its index in the module's table. */
  site(start: number, end: number): number {
    return this.sites.push({ start, end, frame: this.frame.index }) - 1;
  }

  /** The trailing arguments of an operation: `, SITE, SCOPE`. */
  where(node: Node): string {
    this.frame.used = true;
    return `, ${this.site(node.start!, node.end!)}, ${this.scopeVar}`;
  }

  /** Wraps a node's text in a call of the runtime. Call before visiting; the answer closes it, call that after. */
  wrap(node: Node, helper: string, place: Node = node): () => void {
    const tail = this.where(place);
    // A bare comma expression (`if (a, b)`, `o[a, b]`) would become two arguments.
    const comma = node.type === "SequenceExpression";
    this.edits.open(node.start!, `${this.prefix}.${helper}(${comma ? "(" : ""}`);
    return () => this.edits.close(node.end!, `${comma ? ")" : ""}${tail})`);
  }

  /** A variable of the current function for intermediate values. */
  temp(): string {
    const name = `${this.prefix}t${this.count++}`;
    this.frame.used = true;
    this.frame.temps.push(name);
    return name;
  }

  /** A fresh generated name. */
  fresh(kind: string): string {
    return `${this.prefix}${kind}${this.count++}`;
  }

  newFrame(name: string, node: Node): Frame {
    const index = this.frames.length;
    const frame: Frame = {
      index,
      name,
      variable: `${this.prefix}f${index}`,
      site: this.sites.push({ start: node.start!, end: node.end!, frame: index }) - 1,
      slots: new Map(),
      temps: [],
      used: false,
      calls: false,
    };
    this.frames.push(frame);
    this.frameOf.set(node, frame);
    return frame;
  }

  /** The frame in whose instances a variable lives; the current one for names nobody declares. */
  frameFor(binding: Binding | null): Frame {
    return (binding && this.frameOf.get(binding.owner)) ?? this.frame;
  }

  /** `, SLOT, SCOPE` for naming `name` in `frame`. A variable and a property of one name are counted apart. */
  slot(name: string, frame: Frame, property = false): string {
    const key = property ? `.${name}` : name;
    let slot = frame.slots.get(key);
    if (slot === undefined) {
      slot = frame.slots.size;
      frame.slots.set(key, slot);
    }
    frame.used = true;
    return `, ${slot}, ${frame.variable}`;
  }

  /** Offset of `token` at or after `from`, stepping over white space and comments only. */
  find(token: string, from: number): number {
    const at = this.skip(from);
    if (this.text.startsWith(token, at)) return at;
    throw new Error(`expected ${token} at ${at} of ${this.file}`);
  }

  /** The first offset at or after `from` that is neither white space nor comment. */
  skip(from: number): number {
    const { text } = this;
    let at = from;
    for (;;) {
      if (text.startsWith("//", at)) {
        const end = /[\n\r\u2028\u2029]/g;
        end.lastIndex = at;
        const match = end.exec(text);
        at = match ? match.index : text.length;
      } else if (text.startsWith("/*", at)) {
        at = text.indexOf("*/", at + 2) + 2;
      } else if (at < text.length && /\s/.test(text[at])) {
        at++;
      } else {
        return at;
      }
    }
  }

  /** Steps over tokens and comments from `from`; answers `to` exactly if no comment covers it. */
  skipTo(from: number, to: number): number {
    let at = this.skip(from);
    while (at < to) at = this.skip(at + 1);
    return at;
  }

  fail(kind: CompileErrorKind, message: string, start: number, end: number): never {
    const { line, column, endLine, endColumn } = this.lines.place(start, end);
    throw new CompileError(kind, message, this.file, line, column, endLine, endColumn);
  }

  /** Ends a statement that the source left to automatic semicolon insertion, so that blanked types cannot join lines. */
  endStatement(node: Node): void {
    if (this.text[node.end! - 1] !== ";") this.edits.close(node.end!, ";");
  }
}
