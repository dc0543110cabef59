/** What the adapter tells a client it can do. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import { filters } from "../../engine/debug/breakpoints/filters.js";

export const capabilities: DebugProtocol.Capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsStepBack: true,
  supportsRestartRequest: true,
  supportsTerminateRequest: true,
  supportsGotoTargetsRequest: true,
  supportsStepInTargetsRequest: true,
  supportsBreakpointLocationsRequest: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsFunctionBreakpoints: true,
  supportsDataBreakpoints: true,
  supportsExceptionFilterOptions: true,
  supportsExceptionInfoRequest: true,
  supportsSetVariable: true,
  supportsSetExpression: true,
  supportsEvaluateForHovers: true,
  supportsCompletionsRequest: true,
  completionTriggerCharacters: ["(", ".", "@", "["],
  supportsDelayedStackTraceLoading: true,
  supportsSteppingGranularity: true,
  exceptionBreakpointFilters: filters.map(({ id, label, description, byDefault, constant }) => ({
    filter: id,
    label,
    description,
    default: byDefault,
    supportsCondition: constant !== null,
    ...(constant === null ? {} : { conditionDescription: `constant, ${constant} without one` }),
  })),
};
