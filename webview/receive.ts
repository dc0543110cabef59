/** What a message from the host does to the state. Any message may come twice, late or early. */
import type { HostMessage, SweepView, ViewState } from "../engine/protocol.js";
import { SweepModel } from "./model/sweep-model.js";
import type { Store } from "./store.js";

type Incoming = Exclude<HostMessage, { type: "reply" }>;

/** `saved` is what survived a reload: it places the first sweep of the same graph. */
export function receive(store: Store, message: Incoming, saved: ViewState | null): void {
  switch (message.type) {
    case "sweep":
      return sweep(store, message, saved);
    case "stale":
      return store.update({ stale: message.stale });
    case "running":
      return store.update({ running: message.running });
    case "failure":
      return store.update({
        failure: message.failure,
        partial: message.partial,
        running: false,
        playing: false,
      });
    case "empty":
      return store.update({
        empty: { reason: message.reason, detail: message.detail },
        running: false,
        playing: false,
      });
    case "select":
      return select(store, message.node);
    case "step":
      return store.goTo(message.step, { playing: false });
  }
}

function select(store: Store, node: number): void {
  const count = store.state.model?.view.trace.nodes.n ?? 0;
  store.update({ selected: node >= 0 && node < count ? node : -1 });
}

function sweep(store: Store, message: Incoming & { type: "sweep" }, saved: ViewState | null): void {
  const { state } = store;
  const view = message.sweep;
  const known = state.model;
  const again = known !== null && known.view.id === view.id;
  const model = again ? known : new SweepModel(view);
  const kept = known !== null && sameGraph(known.view, view) ? state : restorable(saved, view);
  const wanted = message.mode ?? kept?.mode ?? model.nativeMode;
  const mode = model.has(wanted) ? wanted : model.nativeMode;
  const timeline = model.timeline(mode);
  // a run the user stopped comes with its failure: that stays to be read
  const partial = !view.trace.header.complete && state.partial;
  const selected = message.selected ?? kept?.selected ?? -1;
  store.goTo(message.step ?? kept?.step ?? timeline.forwardSteps, {
    model,
    mode,
    selected: selected < view.trace.nodes.n ? selected : -1,
    speed: known === null ? (saved?.speed ?? state.speed) : state.speed,
    failure: partial ? state.failure : null,
    partial,
    empty: null,
    broken: null,
    running: false,
    stale: again ? state.stale : false,
    playing: again ? state.playing : false,
  });
}

function sameGraph(a: SweepView, b: SweepView): boolean {
  return a.uri === b.uri && a.graph === b.graph;
}

function restorable(saved: ViewState | null, view: SweepView): ViewState | null {
  return saved !== null && saved.uri === view.uri && saved.graph === view.graph ? saved : null;
}
