/**
 * What was seen around the first cotangent that is wrong: the last that is said of an engine with several faults, where no
 * faulty sweep predicts what it gives.
 */
import { near } from "./arrivals.js";
import { diagnosis, type Context, type Diagnosis } from "./diagnosis.js";
import type { Foreign } from "./engine.js";
import type { Judged } from "./judge.js";
import { nodeNames } from "./print.js";
import type { AuditValue, SmallestContribution } from "./result.js";
import { paymentsSeen } from "./smallest.js";

const show = (x: AuditValue): string =>
  typeof x === "number" ? String(Number(x.toPrecision(6))) : `[${x.map(show).join(", ")}]`;

function alike(a: AuditValue, b: AuditValue): boolean {
  if (typeof a === "number" || typeof b === "number")
    return typeof a === "number" && typeof b === "number" && near(a, b);
  return a.length === b.length && a.every((x, i) => alike(x, b[i]));
}

const operationOf = (foreign: Foreign, { graph }: Judged, v: number): string =>
  foreign.operations[graph.steps[v - graph.inputs.length].op].name;

/** The engine tells a node's cotangent, and it is right, or wrong; null: it does not tell. */
function isRight({ outcome, truth }: Judged, v: number): boolean | null {
  const got = outcome.gradient[v];
  return got === null || got === undefined ? null : got.every((x, i) => near(x, truth.cotangent[v][i]));
}

/** A use that pays its local derivative as it is, of a node whose cotangent, paid at once, is not 1. */
export function bareDerivative(failing: Judged, { foreign }: Context): Diagnosis | null {
  if (failing.symptom?.kind !== "gradient") return null;
  const all = paymentsSeen(foreign, failing);
  const bare = all.find(({ from, local, right, foreign: paid, state, paid: payments }) => {
    const got = failing.outcome.gradient[from];
    // what is paid to a node bit by bit may have been 1 when it was passed on
    const whole = all.filter(({ to }) => to === from);
    if (state !== "kept" || payments.length !== 1 || whole.length > 1 || whole[0]?.paid.length !== 1)
      return false;
    if (typeof local !== "number" || typeof paid !== "number" || local === 0 || alike(paid, right))
      return false;
    return near(paid, local) && got?.length === 1 && !near(got[0], 1) && !near(got[0], 0);
  });
  if (bare === undefined) return null;
  const name = operationOf(foreign, failing, bare.from);
  const detail = `${name}: the local derivative is stored without the cotangent of the node above`;
  return diagnosis("wrong local derivative", detail, sentences(failing, foreign, all), [name]);
}

function paymentText(failing: Judged, foreign: Foreign, one: SmallestContribution): string {
  const names = nodeNames(failing.graph);
  const who = `${names[one.from]} (${operationOf(foreign, failing, one.from)})`;
  const due = `where ${show(one.right)} is due`;
  if (one.state === "unknown") return `no payment of ${who} into ${names[one.to]} was seen, ${due}`;
  if (one.state === "missing") return `${who} pays nothing into ${names[one.to]}, ${due}`;
  const fate = one.state === "lost" ? ", and it is written over" : "";
  return `${who} pays ${show(one.foreign!)} into ${names[one.to]}, ${due}${fate}`;
}

const twice = (text: string, all: readonly string[]): string =>
  all.indexOf(text) === all.lastIndexOf(text) ? text : `${text}, in each of its slots`;

function sentences(failing: Judged, foreign: Foreign, payments: readonly SmallestContribution[]): string[] {
  const { graph } = failing;
  const names = nodeNames(graph);
  for (let v = graph.output - 1; v >= 0; v--) {
    const uses = payments.filter(({ to }) => to === v);
    if (uses.length === 0 || isRight(failing, v) !== false) continue;
    const users = [...new Set(uses.map(({ from }) => from))];
    const off = uses.filter((one) => one.state !== "kept" || !alike(one.foreign!, one.right));
    const what = users.length === 1 ? "the cotangent" : "the cotangents";
    const are = users.length === 1 ? "is" : "are";
    const above = users.every((user) => isRight(failing, user) === true)
      ? `${what} of ${users.map((user) => names[user]).join(" and ")} ${are} right, that of ${names[v]} is not`
      : `the cotangent of ${names[v]} is wrong`;
    const texts = off.map((one) => paymentText(failing, foreign, one));
    // two operand slots of one use
    return [above, ...new Set(texts.map((text) => twice(text, texts)))];
  }
  return [];
}

/** @param alone operations that are wrong by themselves, by name */
export function aroundWrong(failing: Judged, { foreign }: Context, alone: readonly string[]): string[] {
  const own =
    failing.symptom?.kind === "gradient" ? sentences(failing, foreign, paymentsSeen(foreign, failing)) : [];
  const others =
    alone.length === 0 ? [] : [`wrong by itself, in a graph of that one operation: ${alone.join(", ")}`];
  return [...own, ...others, "none of the faulty sweeps that were tried predicts these gradients"];
}
