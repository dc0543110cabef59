/** Which nodes of a big trace are drawn: those the reverse sweep reaches first, and the graph's inputs. */
import { Event } from "../trace/events.js";
import { NodeKind, type Trace } from "../trace/trace.js";

/** Up to this many nodes are all drawn. */
export const SHOW_ALL_UP_TO = 600;
/** Of a bigger graph this many are drawn. */
export const SHOW_OF_MORE = 300;
/** Of those, at most this many places are kept for inputs. */
const INPUT_SHARE = 60;

/** Node ids to draw, ascending. Time: linear in nodes and events. */
export function selectShown(trace: Trace, all = SHOW_ALL_UP_TO, some = SHOW_OF_MORE): Int32Array {
  const n = trace.nodes.n;
  if (n <= all) return Int32Array.from({ length: n }, (_, node) => node);
  const taken = new Uint8Array(n);
  let room = some;
  const take = (node: number): void => {
    if (node < 0 || taken[node] === 1 || room === 0) return;
    taken[node] = 1;
    room--;
  };
  const { kind, n: rows, node } = trace.events;
  const order = new Int32Array(rows);
  let reached = 0;
  for (let row = 0; row < rows; row++) {
    if (kind[row] === Event.seed || kind[row] === Event.contribute) order[reached++] = node[row];
  }
  // an output first, so that the picture has its right-hand end even when the inputs are many
  for (const output of trace.header.outputs) take(output.node);
  const isInput = (id: number): boolean =>
    trace.nodes.kind[id] === NodeKind.input || trace.nodes.kind[id] === NodeKind.parameter;
  let inputs = 0;
  for (let id = 0; id < n && inputs < INPUT_SHARE; id++) {
    if (!isInput(id)) continue;
    take(id);
    inputs++;
  }
  for (let i = 0; i < reached && room > 0; i++) take(order[i]);
  // no reverse sweep (user code stopped): what was recorded last
  for (let id = n - 1; id >= 0 && room > 0; id--) take(id);
  const shown = new Int32Array(some - room);
  let at = 0;
  for (let id = 0; id < n; id++) if (taken[id] === 1) shown[at++] = id;
  return shown;
}
