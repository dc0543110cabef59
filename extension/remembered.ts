/**
 * Where the user was in each sweep: what survives hiding and reloading the view, and running again. Also kept in a file
 * of our own: VS Code stores a view's state when a window is closed in good order, and a browser's reload is not that.
 */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Mode, ViewState } from "../engine/protocol.js";

export interface Position {
  readonly step: number;
  readonly mode: Mode;
  readonly selected: number;
}

const LIMIT = 200;
/** positions that are written to the file */
const STORED = 20;

type Stored = Position & { readonly key: string; readonly time: number };

export class Remembered {
  private readonly positions = new Map<string, Stored>();
  private writing = false;
  private again = false;

  /** `file`: where the latest positions are kept, null: nowhere. */
  constructor(
    private readonly file: string | null,
    private readonly failed: (error: unknown) => void,
  ) {}

  get(key: string): Position | undefined {
    return this.positions.get(key);
  }

  set(key: string, { step, mode, selected }: Position, time = Date.now()): void {
    // the map keeps insertion order: the longest unused goes first
    this.positions.delete(key);
    this.positions.set(key, { key, step, mode, selected, time });
    for (const old of this.positions.keys()) {
      if (this.positions.size <= LIMIT) break;
      this.positions.delete(old);
    }
    this.write();
  }

  /** Reads what was stored by the window before this one; what is known already stays. */
  async load(): Promise<void> {
    if (this.file === null) return;
    const text = await readFile(this.file, "utf8").catch(() => "[]");
    for (const entry of parse(text)) if (!this.positions.has(entry.key)) this.positions.set(entry.key, entry);
  }

  /** Takes over a state that VS Code kept, unless something later is known. */
  merge(key: string, { step, mode, selected, time = 0 }: ViewState): void {
    const known = this.positions.get(key);
    if (known === undefined || known.time < time) this.set(key, { step, mode, selected }, time);
  }

  /** Writes soon, one write after the other; of many changes during a write only the last is written. */
  private write(): void {
    if (this.file === null) return;
    this.again = true;
    if (this.writing) return;
    this.writing = true;
    void this.store(this.file)
      .catch(this.failed)
      .finally(() => {
        this.writing = false;
        if (this.again) this.write();
      });
  }

  private async store(file: string): Promise<void> {
    const part = `${file}.${process.pid}`;
    await mkdir(dirname(file), { recursive: true });
    while (this.again) {
      this.again = false;
      await writeFile(part, JSON.stringify(Array.from(this.positions.values()).slice(-STORED)));
      await rename(part, file);
    }
  }
}

function parse(text: string): Stored[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter(isStored) : [];
  } catch {
    return [];
  }
}

function isStored(value: unknown): value is Stored {
  const { key, time } = (value ?? {}) as Partial<Stored>;
  return typeof key === "string" && typeof time === "number" && isPosition(value);
}

function isPosition(value: unknown): value is Position {
  if (typeof value !== "object" || value === null) return false;
  const { step, selected, mode } = value as Partial<Record<keyof Position, unknown>>;
  return (
    Number.isInteger(step) && Number.isInteger(selected) && (mode === "sum" || mode === "last-writer-wins")
  );
}

/** The state a reloaded view hands back, or null if it is not one (an older version's, or nothing). */
export function asViewState(value: unknown): ViewState | null {
  if (!isPosition(value)) return null;
  const { uri, graph } = value as Partial<ViewState>;
  return typeof uri === "string" && typeof graph === "string" ? (value as unknown as ViewState) : null;
}
