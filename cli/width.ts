/**
 * How many columns of a terminal a text takes. Unicode Standard Annex 11 gives East Asian widths, Technical Standard 51 what
 * is drawn as an emoji; what terminals make of it agrees for what people write.
 */

/** First and last code points of what is two columns wide beside emoji: the blocks of UAX 11 whose signs are W or F. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18cff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];

let segmenter: Intl.Segmenter | null = null;

/** What a reader takes for one sign: a letter with its marks, a flag, a family joined to one emoji. */
function signs(text: string): Iterable<{ readonly segment: string }> {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
}

function signWidth(sign: string): number {
  // a variation selector, or a keycap, makes a text sign an emoji
  if (/^\p{Emoji_Presentation}|^\p{Regional_Indicator}{2}|^\p{Emoji}\uFE0F/u.test(sign)) return 2;
  let width = 0;
  for (const one of sign) {
    if (/[\p{Mark}\p{Format}\p{Control}]/u.test(one)) continue;
    const point = one.codePointAt(0)!;
    width = Math.max(width, WIDE.some(([first, last]) => point >= first && point <= last) ? 2 : 1);
  }
  return width;
}

/** Columns a text takes on a terminal: marks and joiners none, East Asian wide signs and emoji two. */
export function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of signs(text)) width += signWidth(segment);
  return width;
}
