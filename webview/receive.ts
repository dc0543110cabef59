/** What a message from the host does to the state. Any message may come twice, late or early. */
import { layoutTrace } from "../engine/layout/layout.js";
import type { SweepView, ViewState } from "../engine/protocol.js";
import type { Incoming } from "./host.js";
import { SweepModel } from "./model/sweep-model.js";
import type { Store } from "./store.js";

/** `saved` is what survived a reload: it places the first sweep of the same graph. */
export function receive(store: Store, message: Incoming, saved: ViewState | null): void {
  switch (message.type) {
    case "sweep":
      return sweep(store, message, saved);
    case "stale":
      return store.update({ stale: message.stale });
    case "whatIf":
      return store.update({ whatIf: message.what });
    case "running":
      return store.update({ running: message.running, runningGraph: message.graph ?? null });
    case "failure":
      return store.update({
        failure: message.failure,
        partial: message.partial,
        empty: null,
        // what is on screen is another graph's: it is not shown as if it were this one's
        ...(message.over === null ? { model: null, selected: -1, stale: false, whatIf: null } : {}),
        ...(message.failure === null ? {} : { running: false, playing: false }),
      });
    case "empty":
      return store.update({
        empty: { reason: message.reason, detail: message.detail },
        running: false,
        playing: false,
      });
    case "select":
      return select(store, message.node);
    case "tab":
      return store.update({
        tab: message.tab,
        measure: store.state.measure + (message.measure === true ? 1 : 0),
      });
    case "breakpoints":
      return store.update({ breakpoints: message.steps });
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
  const model = again ? known : modelOf(view);
  const { complete } = view.trace.header;
  // a recording that stopped is read from its end, wherever the last sweep was left
  const kept =
    known !== null && sameGraph(known.view, view) ? state : complete ? restorable(saved, view) : null;
  const place = again || (complete && known?.view.trace.header.complete !== false) ? kept?.step : undefined;
  const wanted = message.mode ?? kept?.mode ?? model.nativeMode;
  const mode = model.has(wanted) ? wanted : model.nativeMode;
  const timeline = model.timeline(mode);
  const selected = message.selected ?? kept?.selected ?? -1;
  store.goTo(message.step ?? place ?? timeline.forwardSteps, {
    model,
    mode,
    selected: selected < view.trace.nodes.n ? selected : -1,
    speed: known === null ? (saved?.speed ?? state.speed) : state.speed,
    // what a stopped run recorded comes with its failure, in the message after this
    failure: again && !complete ? state.failure : null,
    partial: !complete,
    empty: null,
    broken: null,
    torn: false,
    running: false,
    stale: again ? state.stale : false,
    whatIf: again ? state.whatIf : null,
    playing: again ? state.playing : false,
    // they are steps of the sweep that was there
    breakpoints: again ? state.breakpoints : [],
  });
}

function modelOf(view: SweepView): SweepModel {
  return new SweepModel({ ...view, positions: view.positions ?? layoutTrace(view.trace) });
}

function sameGraph(a: SweepView, b: SweepView): boolean {
  return a.uri === b.uri && a.graph === b.graph;
}

function restorable(saved: ViewState | null, view: SweepView): ViewState | null {
  return saved !== null && saved.uri === view.uri && saved.graph === view.graph ? saved : null;
}
