/** The part of the adapter that sets breakpoints. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { locationsIn } from "../../engine/debug/locations.js";
import { Adapter, NOT_RUNNING } from "./adapter.js";
import type { State } from "./state.js";

export abstract class BreakpointRequests extends Adapter {
  protected override setBreakPointsRequest(
    response: DebugProtocol.SetBreakpointsResponse,
    { source, breakpoints = [] }: DebugProtocol.SetBreakpointsArguments,
  ): void {
    this.bound(response, (state) => this.breakpoints.setLines(state, source.path ?? "", breakpoints));
  }

  protected override setFunctionBreakPointsRequest(
    response: DebugProtocol.SetFunctionBreakpointsResponse,
    { breakpoints }: DebugProtocol.SetFunctionBreakpointsArguments,
  ): void {
    this.bound(response, (state) => this.breakpoints.setFunctions(state, breakpoints));
  }

  protected override setDataBreakpointsRequest(
    response: DebugProtocol.SetDataBreakpointsResponse,
    { breakpoints }: DebugProtocol.SetDataBreakpointsArguments,
  ): void {
    this.bound(response, (state) => this.breakpoints.setData(state, breakpoints));
  }

  protected override setExceptionBreakPointsRequest(
    response: DebugProtocol.SetExceptionBreakpointsResponse,
    { filters: plain, filterOptions = [] }: DebugProtocol.SetExceptionBreakpointsArguments,
  ): void {
    const wanted = [...plain.map((filterId) => ({ filterId })), ...filterOptions];
    const { state } = this;
    if (state === null) return this.refuse(response, NOT_RUNNING);
    this.attempt(async () => {
      response.body = { breakpoints: await this.breakpoints.setExceptions(state, wanted) };
      this.sendResponse(response);
    });
  }

  private bound(response: DebugProtocol.Response, set: (state: State) => DebugProtocol.Breakpoint[]): void {
    const { state } = this;
    if (state === null) return this.refuse(response, NOT_RUNNING);
    response.body = { breakpoints: set(state) };
    this.sendResponse(response);
  }

  protected override dataBreakpointInfoRequest(
    response: DebugProtocol.DataBreakpointInfoResponse,
    args: DebugProtocol.DataBreakpointInfoArguments,
  ): void {
    this.answer(response, () => this.inspector!.dataBreakpoint(args));
  }

  protected override breakpointLocationsRequest(
    response: DebugProtocol.BreakpointLocationsResponse,
    { source, line, endLine = line }: DebugProtocol.BreakpointLocationsArguments,
  ): void {
    this.answer(response, (state) => {
      const file = state.fileOf(source.path ?? "");
      const found = file < 0 ? [] : locationsIn(state.debuggee.trace, file, line, endLine);
      return { breakpoints: found.map((at) => ({ ...at })) };
    });
  }

  /** Breakpoints stand in another sweep now: the client learns where. */
  protected rebound(state: State): void {
    for (const breakpoint of this.breakpoints.rebind(state))
      this.sendEvent({
        seq: 0,
        type: "event",
        event: "breakpoint",
        body: { reason: "changed", breakpoint },
      } as DebugProtocol.BreakpointEvent);
  }
}
