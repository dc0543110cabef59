/** |sin(πx)| and tan(πx) with x reduced before the multiplication: exact zeros, and full accuracy next to them. */

/** x minus the nearest integer, exactly; in [-1/2, 1/2]. */
function offset(x: number): number {
  const r = x % 1;
  return r > 0.5 ? r - 1 : r < -0.5 ? r + 1 : r;
}

/** |sin(πx)|. */
export function absSinPi(x: number): number {
  return Math.abs(Math.sin(Math.PI * offset(x)));
}

/** tan(πx); Infinity or -Infinity at the half integers. */
export function tanPi(x: number): number {
  const r = offset(x);
  // beyond 1/4 by the cofunction, whose argument 1/2 - |r| is exact
  if (r > 0.25) return 1 / Math.tan(Math.PI * (0.5 - r));
  if (r < -0.25) return -1 / Math.tan(Math.PI * (0.5 + r));
  return Math.tan(Math.PI * r);
}
