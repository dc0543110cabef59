/**
 * Adds files to a zip archive, in place. The format: PKWARE's APPNOTE 6.3, sections 4.3.7 (local header), 4.3.12 (central
 * directory) and 4.3.16 (its end). Needs no ZIP64 and no encryption: a VSIX has neither.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_SIZE = 22;
/** 1 January 1980, the earliest date the format knows: the same input gives the same archive */
const DATE = 0x21;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc >>> 0;
});

export function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = table[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** What local header and central directory have in common, from "version needed" to the length of the extra field. */
function common({ name, crc, packed, size }) {
  const head = Buffer.alloc(26);
  head.writeUInt16LE(20, 0); // version needed: deflate
  head.writeUInt16LE(0x800, 2); // names are UTF-8
  head.writeUInt16LE(8, 4); // deflate
  head.writeUInt16LE(DATE, 8);
  head.writeUInt32LE(crc, 10);
  head.writeUInt32LE(packed.length, 14);
  head.writeUInt32LE(size, 18);
  head.writeUInt16LE(name.length, 22);
  return head;
}

function mark(signature, ...parts) {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(signature, 0);
  return Buffer.concat([head, ...parts]);
}

/** @param {{ path: string, contents: Buffer }[]} files */
export function appendToZip(zip, files) {
  const bytes = readFileSync(zip);
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || end + END_SIZE > bytes.length) throw new Error(`${zip} is no zip archive`);
  const count = bytes.readUInt16LE(end + 10);
  const directorySize = bytes.readUInt32LE(end + 12);
  const directoryAt = bytes.readUInt32LE(end + 16);
  const locals = [];
  const entries = [bytes.subarray(directoryAt, directoryAt + directorySize)];
  let offset = directoryAt;
  for (const { path, contents } of files) {
    const name = Buffer.from(path, "utf8");
    const packed = deflateRawSync(contents, { level: 9 });
    const shared = common({ name, crc: crc32(contents), packed, size: contents.length });
    const local = mark(LOCAL, shared, name, packed);
    const madeBy = Buffer.from([20, 3]); // on Unix, for the permissions below
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((0o100644 << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    entries.push(mark(CENTRAL, madeBy, shared, rest, name));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const tail = Buffer.from(bytes.subarray(end, end + END_SIZE));
  tail.writeUInt32LE(END, 0);
  tail.writeUInt16LE(count + files.length, 8);
  tail.writeUInt16LE(count + files.length, 10);
  tail.writeUInt32LE(directory.length, 12);
  tail.writeUInt32LE(offset, 16);
  tail.writeUInt16LE(0, 20);
  writeFileSync(zip, Buffer.concat([bytes.subarray(0, directoryAt), ...locals, directory, tail]));
}
