/** Sizes of the drawing, in the drawing's own units (pixels at zoom 1). The view draws cards of exactly this size. */
export const CARD_WIDTH = 152;
export const CARD_HEIGHT = 64;
/** between two columns: room for a pill with a number and for curves to turn */
export const COLUMN_GAP = 100;
export const MARGIN = 40;

/** Smallest vertical distance between the centres of two neighbours of one column; a bend point has no height. */
export function separation(aIsCard: boolean, bIsCard: boolean): number {
  if (aIsCard && bIsCard) return CARD_HEIGHT + 48;
  return aIsCard || bIsCard ? CARD_HEIGHT / 2 + 34 : 22;
}
