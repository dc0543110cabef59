/** Reports of the rule about overwriting, each from what one of the looks at a file has found. */
import type { FileFacts } from "../facts.js";
import { isPythonText } from "../language.js";
import { operationName } from "../operations.js";
import type { Finding, Suggestion } from "../report.js";
import { bare, child, endOf, isCall, literal, startOf, type Node } from "../tree.js";
import { fillingFix } from "./call-fixes.js";
import type { CalledEachTurn } from "./called-each-turn.js";
import type { Captured } from "./captured.js";
import type { DeadStore } from "./dead-stores.js";
import { fixesFor } from "./fixes.js";
import { operatorAt } from "./operators.js";
import type { PutOver } from "./given-records.js";
import { reachedBy } from "./graphs.js";
import type { Judged } from "./judge.js";
import type { LastTurn } from "./last-turns.js";
import { siblingsOf } from "./siblings.js";
import type { Covering } from "./twice.js";
import { lineOf, message, place, relatedDriver, relatedSiblings, relatedUses, usedTwice } from "./words.js";

export function direct(facts: FileFacts, judged: Judged, all: readonly Judged[]): Finding {
  const { write, weighed } = judged;
  const siblings = siblingsOf(facts, all, judged);
  const reached = siblings.length > 0 || facts.names.assumeChain ? null : reachedBy(facts, judged, all);
  return {
    start: startOf(write.node),
    end: endOf(write.node),
    message: message(facts, judged, siblings) + (reached === null ? "" : usedTwice(facts, reached)),
    evidence:
      siblings.length > 0
        ? "proven-siblings"
        : facts.names.assumeChain
          ? "single-use"
          : reached !== null
            ? "proven-graph"
            : "structural",
    related: [
      ...relatedSiblings(facts, siblings),
      ...(reached === null ? [] : relatedUses(reached)),
      ...relatedDriver(weighed),
    ],
    suggestions: fixesFor(facts, write, siblings),
  };
}

export function again(facts: FileFacts, { node, target, lost, write }: Covering): Finding {
  const buffer = facts.source(target);
  return {
    start: startOf(node),
    end: endOf(node),
    message: `\`${operationName(facts, node)}\` fills \`${buffer}\` a second time before anything has read it: the contribution of line ${lineOf(facts, lost)} is lost. Add to what is there.`,
    evidence: "structural",
    related: [place(lost, "what is lost")],
    suggestions: write === null ? fillingFix(facts, node, target) : fixesFor(facts, write, []),
  };
}

export function chain(facts: FileFacts, judged: Judged): Finding {
  const { write } = judged;
  return {
    start: startOf(write.node),
    end: endOf(write.node),
    message: message(facts, judged, []),
    evidence: "single-use",
    suggestions: [],
  };
}

/** A cotangent stored over before it was read. */
export function storedOver(facts: FileFacts, { node, target, lost, write }: DeadStore): Finding {
  const slot = facts.source(target);
  return {
    start: startOf(node),
    end: endOf(node),
    message: `\`${operationName(facts, node)}\` assigns \`${slot}\` before anything has read what line ${lineOf(facts, lost)} left there: that contribution is lost. Add to it.`,
    evidence: "structural",
    related: [place(lost, "what is lost")],
    suggestions: write === null ? addInstead(facts, node, target) : fixesFor(facts, write, []),
  };
}

/** A local that keeps the contribution of the last turn. */
export function keptLast(facts: FileFacts, { node, target, loop, sum }: LastTurn): Finding {
  const slot = facts.source(target);
  const beside = sum === null ? "" : `; line ${lineOf(facts, sum)} adds up over the same turns`;
  return {
    start: startOf(node),
    end: endOf(node),
    message: `\`${operationName(facts, node)}\` assigns \`${slot}\` in each turn of the loop at line ${lineOf(facts, loop)}${beside}. Only the contribution of the last turn is left when it is read.`,
    evidence: sum === null ? "structural" : "proven-siblings",
    related: [
      { start: startOf(loop), end: startOf(loop) + 3, message: "the loop" },
      ...(sum === null ? [] : [place(sum, "adds up over the same turns")]),
    ],
    suggestions: addInstead(facts, node, target),
  };
}

/** A step that stores, run in each turn of a loop with the same place. */
export function keptOfCalls(facts: FileFacts, { write, fn, call, loop }: CalledEachTurn): Finding {
  return {
    start: startOf(write.node),
    end: endOf(write.node),
    message: `\`${fn.name}\` assigns \`${facts.source(write.target)}\`, and the loop at line ${lineOf(facts, loop)} runs it in each turn with the same place: only the contribution of the last turn is left. Add to it.`,
    evidence: "structural",
    related: [place(call, "run in each turn")],
    suggestions: fixesFor(facts, write, []),
  };
}

/** Records of contributions put over one another in turns. */
export function keptOfRecords(facts: FileFacts, { node, call }: PutOver): Finding {
  return {
    start: startOf(node),
    end: endOf(node),
    message: `\`${operationName(facts, node)}\` puts what \`${facts.source(call).slice(0, 40)}\` gives over what was given before, and two of them may pay the same name: only the last contribution is left. Add entry by entry.`,
    evidence: "structural",
    related: [place(call, "gives a record of contributions in each turn")],
    suggestions: [],
  };
}

/** A local that closures share, given what one of them is handed. */
export function keptInClosure(facts: FileFacts, { node, target, name, calls }: Captured): Finding {
  const lines = [...new Set(calls.map((call) => lineOf(facts, call)))].slice(0, 4);
  return {
    start: startOf(node),
    end: endOf(node),
    message: `\`${name}\` assigns \`${facts.source(target)}\`, and is handed contributions (line${lines.length === 1 ? "" : "s"} ${lines.join(", ")}). A value used twice keeps only the last contribution.`,
    evidence: "structural",
    related: calls.slice(0, 4).map((call) => place(call, "a contribution is handed over here")),
    suggestions: addInstead(facts, node, target),
  };
}

/** `x = c` as `x += c`, where `x` is seen to hold a number from the start: lists are not added so. */
function addInstead(facts: FileFacts, node: Node, target: Node): readonly Suggestion[] {
  const at = isPythonText(facts) || !holdsNumber(facts, node, target) ? null : operatorAt(facts, node, "=");
  return at === null
    ? []
    : [
        {
          title: `Add to \`${facts.source(target)}\``,
          kind: "number",
          edits: [{ start: at, end: at + 1, text: "+=" }],
        },
      ];
}

function holdsNumber(facts: FileFacts, node: Node, target: Node): boolean {
  const start = facts
    .binding(target)
    ?.definitions.find(({ kind, path }) => kind === "initial" && path.length === 0);
  const value = child(node, "right");
  if (start === undefined || value === null) return false;
  const first = bare(start.expression);
  const arithmetic = (one: Node): boolean => /^(?:Binary|Unary)Expression$/.test(bare(one).type);
  return typeof literal(first) === "number" ? !isCall(bare(value)) : arithmetic(first) && arithmetic(value);
}
