/** The classes of wrong reverse sweep, each with the sentence a report begins with. */
export type FaultClass =
  | "overwrite"
  | "recursion without order"
  | "total pushed on each arrival"
  | "dropped second branch"
  | "post-order"
  | "stale gradients"
  | "aliasing"
  | "write after read"
  | "one slot per loop"
  | "replay with new randomness or another branch"
  | "wrong local derivative"
  | "double counting"
  | "exponential revisits"
  // beside the reverse sweep itself
  | "wrong value"
  | "throws"
  | "stack overflow"
  | "unclassified";

export const faultSentences: Readonly<Record<FaultClass, string>> = {
  overwrite: "a contribution is assigned where a sum is due: the one before it is lost",
  "recursion without order":
    "a node passes its cotangent on before all of its uses have paid: what arrives later goes no further",
  "total pushed on each arrival":
    "each time a contribution arrives the whole sum so far is passed on again, not the part that is new",
  "dropped second branch": "a contribution is never made: a second use or operand is skipped",
  "post-order": "nodes are visited before the nodes that use them: their cotangent is not there yet",
  "stale gradients": "a sweep starts from gradients that an earlier one has left",
  aliasing: "two nodes share one gradient buffer: what is added to one is added to the other",
  "write after read": "a value that the reverse sweep reads is changed after the forward pass has used it",
  "one slot per loop": "what one operation saves for the reverse sweep is overwritten by its next call",
  "replay with new randomness or another branch":
    "what the reverse sweep computes again is not what the forward pass computed",
  "wrong local derivative": "the contribution is not the cotangent times the local derivative",
  "double counting": "a contribution is added more than once",
  "exponential revisits":
    "gradients are right, but shared nodes are visited once a path: the number of visits grows exponentially",
  "wrong value": "the value of the forward pass is not the operation's",
  throws: "the engine throws",
  "stack overflow": "the sweep recurses over the length of the graph and overflows the stack",
  unclassified: "the gradient is wrong in a way that none of the known faults predicts",
};
