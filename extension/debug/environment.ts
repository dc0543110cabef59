/** What a debug session needs of the world around it: sweeps to debug, and somebody who follows its place. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { AskedOptions } from "../../engine/graph/options.js";
import type { Trace } from "../../engine/trace/trace.js";

/** What launch.json says; package.json describes it. */
export interface LaunchArguments
  extends DebugProtocol.LaunchRequestArguments, Omit<AskedOptions, "cotangent" | "given"> {
  /** absolute path of the module */
  readonly program: string;
  /** exported name of the graph; absent: the first */
  readonly graph?: string;
  /** true or "forward": before the first evaluation; "sweep": where the reverse sweep begins; false: at a breakpoint */
  readonly stopOnEntry?: boolean | "forward" | "sweep";
  readonly stepGranularity?: "contribution" | "statement";
}

export type Recorded =
  /** `right`: of a sweep that loses contributions the one that adds up, null where it was not kept */
  | { readonly ok: true; readonly trace: Trace; readonly right: Trace | null }
  /** one sentence with the place */
  | { readonly ok: false; readonly message: string };

export interface Environment {
  /** Records and sweeps the graph; `changes` are options of a what-if, on top of the launch's. */
  run(launch: LaunchArguments, changes: Changes | null): Promise<Recorded>;
  /** The session is at this position, its node in focus. */
  moved(position: number, focus: number): void;
  /** The session's name, which says of a what-if what was changed. */
  renamed(whatIf: string | null): void;
  /** The breakpoints of the session, or the places they stand at, have changed. */
  marked(): void;
  ended(): void;
}

/** Options that a what-if changes. */
export type Changes = Pick<AskedOptions, "set" | "cotangent" | "given">;
