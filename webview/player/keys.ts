/** The keyboard: one table, used by the listener and printed by the help. */
export type Action =
  | "play"
  | "back"
  | "step"
  | "start"
  | "end"
  | "previousMark"
  | "nextMark"
  | "mode"
  | "fit"
  | "zoomIn"
  | "zoomOut"
  | "follow"
  | "help";

interface Binding {
  /** `KeyboardEvent.key` values */
  readonly keys: readonly string[];
  readonly shift?: boolean;
  readonly action: Action;
  readonly shown: string;
  readonly does: string;
}

export const bindings: readonly Binding[] = [
  { keys: [" "], action: "play", shown: "Space", does: "play or pause" },
  {
    keys: ["ArrowRight"],
    shift: true,
    action: "nextMark",
    shown: "Shift + →",
    does: "to the next node that becomes final after several payments",
  },
  {
    keys: ["ArrowLeft"],
    shift: true,
    action: "previousMark",
    shown: "Shift + ←",
    does: "to the last such node",
  },
  { keys: ["ArrowRight", "."], action: "step", shown: "→ or .", does: "step" },
  { keys: ["ArrowLeft", ","], action: "back", shown: "← or ,", does: "step back" },
  { keys: ["Home"], action: "start", shown: "Home", does: "to the start" },
  { keys: ["End"], action: "end", shown: "End", does: "to the end" },
  { keys: ["m", "M"], action: "mode", shown: "M", does: "sum or last writer wins" },
  { keys: ["f", "F", "0"], action: "fit", shown: "F", does: "fit the graph" },
  { keys: ["+", "="], action: "zoomIn", shown: "+", does: "zoom in" },
  { keys: ["-"], action: "zoomOut", shown: "-", does: "zoom out" },
  { keys: ["Escape"], action: "follow", shown: "Escape", does: "follow the step again; close this help" },
  { keys: ["?"], action: "help", shown: "?", does: "this help" },
];

/** Keys of the node list, which has the graph's focus. */
export const listKeys: readonly { readonly shown: string; readonly does: string }[] = [
  { shown: "Arrows", does: "in the graph: to an operand (←), a use (→), the node above or below" },
  { shown: "Enter", does: "in the graph: show the node's source" },
];

/** The action of a key press, or null. Keys that a focused control needs itself are left to it. */
export function actionOf(event: KeyboardEvent): Action | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return null;
  const target = event.target instanceof HTMLElement ? event.target : null;
  const binding = bindings.find(
    ({ keys, shift }) =>
      keys.includes(event.key) &&
      (shift === true ? event.shiftKey : !event.key.startsWith("Arrow") || !event.shiftKey),
  );
  if (binding === undefined) return null;
  if (target !== null && needsItself(target, event)) return null;
  return binding.action;
}

function needsItself(target: HTMLElement, event: KeyboardEvent): boolean {
  if (target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement)
    return event.key !== "Escape";
  if (target instanceof HTMLInputElement) {
    if (target.type !== "range") return event.key !== "Escape";
    // the range moves the same index by itself
    return !event.shiftKey && (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End");
  }
  return event.key === " " && (target instanceof HTMLButtonElement || target.tagName === "A");
}
