/** Writes long texts to a stream in pieces of a size, waiting for a slow reader and ending quietly when it goes away. */
import { once } from "node:events";
import type { Writable } from "node:stream";

const PIECE = 1 << 16;

/** True when the reader has closed its end: `backsweep ... | head`. */
export function isClosedPipe(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return (
    code === "EPIPE" ||
    code === "ERR_STREAM_DESTROYED" ||
    code === "ERR_STREAM_WRITE_AFTER_END" ||
    code === "EOF"
  );
}

/** The output could not be written: a full disk, a device that refuses. */
export class OutputError extends Error {
  constructor(reason: unknown) {
    super(`the output could not be written: ${reason instanceof Error ? reason.message : String(reason)}`);
  }
}

/** Resolves to false when the reader has gone. */
export async function writeAll(stream: Writable, pieces: Iterable<string>): Promise<boolean> {
  let gone: unknown = null;
  const onError = (error: unknown): void => {
    gone = error;
  };
  stream.on("error", onError);
  const flush = async (text: string): Promise<void> => {
    if (gone === null && !stream.write(text) && stream.writableNeedDrain) {
      await once(stream, "drain").catch((error: unknown) => {
        gone = error;
      });
    }
  };
  let held = "";
  for (const piece of pieces) {
    held += piece;
    if (held.length < PIECE) continue;
    await flush(held);
    held = "";
    if (gone !== null) break;
  }
  if (gone === null && held !== "") await flush(held);
  if (gone === null) await new Promise<void>((resolve) => stream.write("", () => resolve()));
  if (gone !== null && !isClosedPipe(gone)) throw new OutputError(gone);
  return gone === null;
}
