/** What the tests of the debugger run: graphs written to a folder, recorded by the real runner. */
import { join } from "node:path";
import { expect } from "vitest";
import type { Environment, Recorded } from "../../../extension/debug/environment.js";
import { isLastWriterWins } from "../../../engine/report/overwrites.js";
import type { Trace } from "../../../engine/trace/trace.js";
import type { Runner } from "../../../runner/client.js";
import type { RunOptions } from "../../../runner/messages.js";
import { buildForTest, folderOf, quietRunner } from "../runner/built.js";
import { Client } from "./client.js";

export const FAN_OUT = `import { graph } from "backsweep";

export const fanOut = graph({ x: 2, y: 3 }, ({ x, y }) => {
  const a = x * y;
  const b = a + x;
  const c = a * y;
  return b * c;
});
`;

export const LOOP = `import { graph } from "backsweep";

function square(v: number): number {
  const t = v * v;
  return t;
}

export const looped = graph({ x: 1.5, y: 0.5 }, ({ x, y }) => {
  let s = x;
  for (let i = 0; i < 5; i++) {
    s = s * y;
    s = square(s) + x;
  }
  return s;
});
`;

export const NAN = `import { graph } from "backsweep";

export const bad = graph({ x: 1, y: 2 }, ({ x, y }) => {
  const d = x - y;
  const r = Math.sqrt(d);
  return r * y + x;
});
`;

/** Sessions over graphs in a folder of their own; one runner for all of them. */
export class Bench {
  private constructor(
    private readonly runner: Runner,
    private readonly folder: ReturnType<typeof folderOf>,
  ) {}

  static async open(files: Readonly<Record<string, string>>): Promise<Bench> {
    const runner = quietRunner(await buildForTest(), { spare: false });
    return new Bench(runner, folderOf(files));
  }

  path(file: string): string {
    return join(this.folder.path, file);
  }

  async record(file: string, options: RunOptions = {}): Promise<Recorded> {
    const result = await this.runner.run({
      file,
      root: this.folder.path,
      options,
      timeoutMs: 20_000,
      memoryBytes: 1024 * 1024 * 1024,
      allowImports: false,
      layout: false,
    });
    const wrong = result.ok && isLastWriterWins(result.trace);
    if (result.ok) return { ok: true, trace: result.trace, right: wrong ? result.counterpart : null };
    return { ok: false, message: `${result.failure.line}: ${result.failure.message}` };
  }

  /** A client whose environment runs graphs; `moves` takes the positions the view would be told of. */
  client(moves: number[] = [], trace: Trace | null = null): Client {
    const environment: Environment = {
      run: async ({ program, graph, set, accumulate, schedule }, changes) => {
        if (trace !== null) return { ok: true, trace, right: null };
        return this.record(program, {
          ...(graph === undefined ? {} : { graph }),
          ...(set === undefined ? {} : { set }),
          ...(accumulate === undefined ? {} : { accumulate }),
          ...(schedule === undefined ? {} : { schedule }),
          ...changes,
        });
      },
      moved: (position) => moves.push(position),
      renamed: () => {},
      marked: () => {},
      ended: () => {},
    };
    return new Client(environment, (text) => text.replaceAll(this.folder.path, "<folder>"));
  }

  close(): void {
    this.runner.dispose();
    this.folder.dispose();
  }
}

/** Compares a transcript with the golden one; UPDATE_GOLDEN=1 writes it anew. */
export async function golden(client: Client, name: string): Promise<void> {
  await expect(client.transcript.join("\n") + "\n").toMatchFileSnapshot(
    join(import.meta.dirname, "transcripts", `${name}.txt`),
  );
}
