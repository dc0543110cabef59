/** What a person typed cannot be understood: one line, exit code 2. */
export class UsageError extends Error {}

/** Edit distance in which swapping two neighbours is one edit (optimal string alignment). */
function distance(a: string, b: string): number {
  const rows: number[][] = Array.from({ length: a.length + 1 }, (_, i) => [i]);
  for (let j = 0; j <= b.length; j++) rows[0][j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, rows[i - 2][j - 2] + 1);
      rows[i][j] = best;
    }
  }
  return rows[a.length][b.length];
}

/** `; did you mean "x"?`, or nothing when no choice is near. */
export function suggestion(typed: string, choices: readonly string[]): string {
  const near = choices
    .map((choice) => ({
      choice,
      d: choice.startsWith(typed) && typed.length > 1 ? 0.5 : distance(typed, choice),
    }))
    .sort((a, b) => a.d - b.d)[0];
  return near !== undefined && near.d <= Math.max(1, typed.length / 3)
    ? `; did you mean "${near.choice}"?`
    : "";
}
