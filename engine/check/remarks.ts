/** What a check says of its difference quotients: steps left out, quotients that do not settle, derivatives that are wrong. */
import type { Recording } from "../graph/record.js";
import type { LineQuotients } from "./quotients.js";
import { checkNote, checkPlace, type CheckNote, type DifferenceCheck } from "./result.js";
import { short } from "./short.js";

/** @param site where the graph is defined */
export function lineNotes(
  { recorder }: Recording,
  differences: readonly DifferenceCheck[],
  lines: readonly LineQuotients[],
  site: number,
): CheckNote[] {
  const failed = differences.filter(({ verdict }) => verdict === "failed");
  const doubtful = failed.length > 0 || differences.some(({ verdict }) => verdict === "unclear");
  return [
    ...branches(lines),
    ...domain(lines),
    ...unsettled(differences, lines),
    ...failed.map((row) => checkNote("derivative", "finding", wrongDerivative(row), site)),
    ...cuts(recorder, doubtful),
  ];
}

function branches(lines: readonly LineQuotients[]): CheckNote[] {
  const crossings = new Map<number, number>();
  for (const { crossed } of lines)
    for (const { crossing, step } of crossed)
      crossings.set(crossing.site, Math.min(step, crossings.get(crossing.site) ?? Infinity));
  return Array.from(crossings, ([site, step]) => {
    const text = checkPlace(site)?.text;
    const what = text === undefined ? "a branch" : `the branch at ${text}`;
    return checkNote("branch", "info", `steps of ${step} and more cross ${what}: they are left out`, site);
  });
}

function domain(lines: readonly LineQuotients[]): CheckNote[] {
  const outside = lines.reduce((sum, line) => sum + line.outside, 0);
  if (outside === 0) return [];
  const what = outside === 1 ? "1 step leaves" : `${outside} steps leave`;
  return [checkNote("domain", "info", `${what} the domain (NaN or Inf there): left out`)];
}

function unsettled(differences: readonly DifferenceCheck[], lines: readonly LineQuotients[]): CheckNote[] {
  return differences.flatMap(({ along, verdict, central }, i) => {
    if (verdict !== "unclear") return [];
    const why =
      central === null
        ? "there are too few to tell"
        : lines[i].wild
          ? "the function varies as much over the smallest step as over the largest"
          : `they differ by ${central.error.toPrecision(2)}`;
    return [checkNote("unclear", "warning", `${along}: the difference quotients do not settle: ${why}`)];
  });
}

/**
 * Implicit cuts (a traced number used as an index, say) cannot be held: evaluations follow them. They follow a running
 * state, too, which is a cut that was asked for.
 */
export function implicitCuts({ notes }: Recording["recorder"]): Recording["recorder"]["notes"] {
  return notes.filter(({ code, text }) => code === "cut" && !text.startsWith("stopGradient"));
}

/** A cut through which quotients see no slope (an index of a table, say) does no harm here, but it is there. */
function cuts(recorder: Recording["recorder"], doubtful: boolean): CheckNote[] {
  const said = doubtful
    ? "the difference quotient sees through it, which may be all the difference"
    : "the difference quotients, which see through it, find no derivative that is missing here";
  return implicitCuts(recorder).map(({ site, text }) =>
    checkNote("cut", doubtful ? "warning" : "info", `${text}; ${said}`, site),
  );
}

/** "the derivative by x is 90, the difference quotient 144" */
function wrongDerivative({ along, derivative, central }: DifferenceCheck): string {
  const by = along.startsWith("direction") ? `along ${along}` : `by ${along}`;
  return `the derivative ${by} is ${derivative}, the difference quotient ${short(central!)}`;
}
