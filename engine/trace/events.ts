/** The kinds of event, in the words of the trace format; the number is what the `kind` column holds. */
export const eventKinds = [
  "eval", // node got its primal; value = primal row
  "store", // the primal of node is retained for a reverse rule that will read it
  "drop", // the primal of node was never retained
  "mutate",
  "cut",
  "seed", // output node receives the output cotangent; value = its row
  "contribute", // along edge, into node (= edges.from); value = contribution row, -1: none, which is not zero
  "final", // every use of node has paid; value = cotangent row
  "read", // the reverse rule of node reads a primal, value = its row
  "advance",
  "record",
  "restore",
  "snapshot",
  "replay",
  "reverse",
  "uncompute",
  "free", // the primal of node is no longer read by any remaining reverse rule
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
