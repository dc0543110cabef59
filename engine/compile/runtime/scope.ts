/**
 * Scope objects: which function instance and loop iteration a piece of code runs in. While nothing is recorded every
 * function and loop hands out one and the same idle object, so that entering costs next to nothing; while recording,
 * rows of the scopes table are made only for scopes in which something was recorded.
 */
import { activeRecorder, type Recorder } from "../../ops/recorder.js";
import { call, type ScopeHandle } from "../../tape/callsite.js";
import { ScopeType } from "../../trace/trace.js";

/** Static facts of a function or loop. */
export interface FrameInfo {
  readonly name: string;
  /** global id of the site that stands for it */
  readonly site: number;
  /** assigned names by slot */
  readonly names: readonly string[];
  /** base of the module's site ids */
  readonly base: number;
  /** the module's loops */
  readonly loops: readonly LoopEntry[];
}

export interface LoopEntry {
  readonly info: FrameInfo;
  readonly idle: Scope;
}

export class Scope implements ScopeHandle {
  /** times each name was assigned in this instance */
  counts: Int32Array | null = null;
  countedBy: Recorder | null = null;
  /** loops: the next iteration's number, and its scope if the loop's condition already made it */
  turn = 0;
  next: Scope | null = null;
  private cachedRow = -1;
  readonly base: number;

  constructor(
    /** null: idle */
    readonly recorder: Recorder | null,
    readonly parent: ScopeHandle | null,
    readonly info: FrameInfo,
    readonly type: ScopeType,
    readonly iteration: number,
    /** global id of the call or loop that entered it */
    readonly site: number,
  ) {
    this.base = info.base;
  }

  /** The row in the active recording; 0 (the root) for idle scopes and for those of another recording. */
  row(): number {
    if (this.cachedRow >= 0) return this.recorder === activeRecorder() ? this.cachedRow : 0;
    const { recorder } = this;
    if (recorder === null || recorder !== activeRecorder()) return 0;
    const above = this.parent;
    if (above === null || !(above instanceof Scope) || above.cachedRow >= 0 || above.recorder !== recorder) {
      // the usual case: the scope around it has its row
      const parent = above === null ? 0 : above.row();
      return (this.cachedRow = recorder.scopes.add(
        parent,
        this.info.name,
        this.type,
        this.iteration,
        this.site,
      ));
    }
    // No recursion: a chain of callers can be as long as the stack is deep.
    const missing: Scope[] = [];
    let at: ScopeHandle | null = this; // eslint-disable-line @typescript-eslint/no-this-alias
    while (at instanceof Scope && at.cachedRow < 0 && at.recorder === recorder) {
      missing.push(at);
      at = at.parent;
    }
    let parent = at === null ? 0 : at.row();
    for (let i = missing.length - 1; i >= 0; i--) {
      const scope = missing[i];
      parent = recorder.scopes.add(parent, scope.info.name, scope.type, scope.iteration, scope.site);
      scope.cachedRow = parent;
    }
    return parent;
  }

  /** Counts an assignment to a name; answers how many there were before. */
  count(slot: number, recorder: Recorder): number {
    if (this.countedBy !== recorder) {
      this.counts = new Int32Array(this.info.names.length);
      this.countedBy = recorder;
    }
    return this.counts![slot]++;
  }
}

interface RecordingState {
  /** calls so far by function name */
  readonly instances: Map<string, number>;
  graphEntered: boolean;
}

const states = new WeakMap<Recorder, RecordingState>();
let lastRecorder: Recorder | null = null;
let lastState: RecordingState | null = null;

function stateOf(recorder: Recorder): RecordingState {
  if (recorder === lastRecorder) return lastState!;
  let state = states.get(recorder);
  if (state === undefined) {
    state = { instances: new Map(), graphEntered: false };
    states.set(recorder, state);
  }
  lastRecorder = recorder;
  lastState = state;
  return state;
}

/** The scope of a function that is entered while `recorder` records. The first one is the graph function itself. */
export function enterLive(recorder: Recorder, info: FrameInfo): Scope {
  const state = stateOf(recorder);
  const instance = (state.instances.get(info.name) ?? 0) + 1;
  state.instances.set(info.name, instance);
  if (state.graphEntered)
    return new Scope(recorder, call.scope, info, ScopeType.function, instance, call.site);
  state.graphEntered = true;
  const scope = new Scope(recorder, null, info, ScopeType.function, instance, -1);
  recorder.graphScope = scope.row();
  return scope;
}

/** The scope that stands for a loop itself: conditions and updates belong to the iteration they lead into. */
export class LoopScope extends Scope {
  override row(): number {
    return this.recorder === null ? 0 : this.upcoming().row();
  }

  /** The scope of the iteration that comes next. */
  upcoming(): Scope {
    return (this.next ??= new Scope(
      this.recorder,
      this.parent,
      this.info,
      ScopeType.loop,
      this.turn,
      this.site,
    ));
  }
}
