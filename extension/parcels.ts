/**
 * A big sweep travels in pieces: VS Code copies a message several times in one go, and a hundred thousand nodes in one
 * message hold the host for a tenth of a second. So does one whose numbers VS Code would lose: it writes messages as JSON,
 * which makes null of NaN and infinities and 0 of -0. Pure: no editor here.
 */
import type { HostMessage } from "../engine/protocol.js";
import { bytesOf, pack } from "../engine/trace/columns.js";

/** Bytes of columns in one message. */
const PIECE = 1024 * 1024;

/** The messages that say what this one says: itself, or its shape and then the bytes of its columns. */
export function* parcels(message: HostMessage): Generator<HostMessage> {
  if (message.type !== "sweep") return yield message;
  const { packed, columns, odd } = pack(message);
  const total = columns.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (total <= PIECE && !odd) return yield message;
  yield { type: "begin", packed };
  // small columns share a piece; each piece has a buffer of its own, since VS Code sends whole buffers
  let piece = new Uint8Array(PIECE);
  let filled = 0;
  for (const column of columns) {
    const bytes = bytesOf(column);
    for (let at = 0; at < bytes.length;) {
      const count = Math.min(PIECE - filled, bytes.length - at);
      piece.set(bytes.subarray(at, at + count), filled);
      at += count;
      filled += count;
      if (filled < PIECE) continue;
      yield { type: "bytes", bytes: piece };
      piece = new Uint8Array(PIECE);
      filled = 0;
    }
  }
  if (filled > 0) yield { type: "bytes", bytes: piece.slice(0, filled) };
}
