/**
 * What the first look at a sweep needs, worked out before it: the lists of names, scopes and places are made once, in time
 * linear in the tape, and no step of a session has to wait for one of them.
 */
import { checkpointVariables } from "./checkpoint-scope.js";
import type { Debuggee } from "./debuggee.js";
import { prepareInline } from "./inline.js";

/** Contributions from which on the running sums of a node are made before anybody asks. */
const MANY = 1_000;

function sumMany({ timeline, running, trace }: Debuggee): void {
  for (let node = 0; node < trace.nodes.n; node++)
    if (timeline.slots(node) >= MANY) running.after(node, 1, timeline.steps);
}

/** Piece by piece: between the pieces whoever calls can let others have their turn. */
export function* preparing(debuggee: Debuggee): Generator<void> {
  const pieces: (() => unknown)[] = [
    () => debuggee.names,
    () => debuggee.nodesOf(0),
    () => debuggee.reachedOf(0),
    () => debuggee.slots,
    () => prepareInline(debuggee),
    () => checkpointVariables(debuggee, 0),
    () => sumMany(debuggee),
  ];
  for (const piece of pieces) {
    piece();
    yield;
  }
}
