/**
 * The kinds of event, in the words of the trace format; the number is what the `kind` column holds.
 *
 * Storage events stand in the trace of a sweep under a schedule. Where the comment says so, the columns `a` and `b` hold a
 * row of the segments table, a state (its number within its region: state i is what step i begins with) and a row of the
 * slots table. Each of them, and each single replay, is a step a person moves by, as an evaluation is: replaying a record
 * node by node is the forward pass once more. Its `store`, `drop` and `free` rows belong to the step before them.
 */
export const eventKinds = [
  "eval", // node got its primal; value = primal row
  "store", // the primal of node is retained for a reverse rule that will read it, or in a slot
  "drop", // the primal of node is not retained here, though a reverse rule will still read it: it will be replayed
  "mutate",
  "cut",
  "seed", // output node receives the output cotangent; value = its row
  "contribute", // along edge, into node (= edges.from); value = contribution row, -1: none, which is not zero
  "final", // every use of node has paid; value = cotangent row
  "read", // the reverse rule of node reads a primal, value = its row
  "advance", // segment a runs and nothing of it is kept; the first time its `eval` rows follow, later nothing does
  "record", // segment a runs and its tape is held; its `eval` rows follow, or its `replay` rows if it ran before
  "restore", // what lies in slot b is the working state again: state a; node -2: it is the tape of step a
  "snapshot", // state a is put into slot b; node -2: the tape of step a
  "replay", // node got its primal once more; value = primal row
  "reverse", // the sweep comes to segment a: its `contribute` rows follow
  "uncompute", // segment a runs backwards: the state behind it is taken away, from slot b or, -1, by the inverse of a layer
  "free", // the primal of node is read by no remaining reverse rule; node below 0: slot b is emptied of state (-2: tape) a
  "accumulate",
  "begin",
  "end",
  "error",
] as const;

export type EventKind = (typeof eventKinds)[number];

/** Column code of a kind. */
export const Event = Object.fromEntries(eventKinds.map((kind, code) => [kind, code])) as Readonly<
  Record<EventKind, number>
>;

const stepping = new Set<EventKind>([
  "eval",
  "contribute",
  "advance",
  "record",
  "restore",
  "snapshot",
  "replay",
  "reverse",
  "uncompute",
]);

/** 1 at the code of every kind that a person steps by; rows of other kinds belong to the step before them. */
export const isStep: Uint8Array = Uint8Array.from(eventKinds, (kind) => (stepping.has(kind) ? 1 : 0));
