/** The binary format of WebAssembly (core specification 2.0, chapter 5), as far as the code of fused chains needs it. */

/** Code as nested lists of bytes: lists are put together without copying them. */
export type Code = readonly (number | Code)[];

export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

export function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}

export const get = (local: number): Code => [0x20, unsigned(local)];
export const set = (local: number): Code => [0x21, unsigned(local)];
export const number = (value: number): Code => [0x41, signed(value)];
export const vector = (code: number, ...immediate: number[]): Code => [0xfd, unsigned(code), immediate];
export const load = (offset: number): Code => [vector(0x00, 0), unsigned(offset)];
export const store = (offset: number): Code => [vector(0x0b, 0), unsigned(offset)];
export const and = vector(0x4e);
export const bitselect = vector(0x52);

/** The bytes, in order. */
export function flat(code: Code, into: number[] = []): number[] {
  for (const item of code) {
    if (typeof item === "number") into.push(item);
    else flat(item, into);
  }
  return into;
}

export function section(id: number, body: Code): Code {
  const bytes = flat(body);
  return [id, unsigned(bytes.length), bytes];
}

export const text = (name: string): Code => [name.length, Array.from(name, (c) => c.charCodeAt(0))];
