/** The one output channel, and the rule that no rejected promise is silent. */
import * as vscode from "vscode";

let channel: vscode.LogOutputChannel | null = null;

/** The channel "Backsweep": the user's console output and our own log. */
export function log(): vscode.LogOutputChannel {
  channel ??= vscode.window.createOutputChannel("Backsweep", { log: true });
  return channel;
}

/** The host's bundle writes to the channel that the extension made. */
export function useLog(shared: vscode.LogOutputChannel): void {
  channel = shared;
}

export function disposeLog(): void {
  channel?.dispose();
  channel = null;
}

/** Waits for nothing: a rejection is logged with what was being done, and shown as one sentence when `tell` is set. */
export function attempt(what: string, work: () => Thenable<unknown> | void, tell = false): void {
  const failed = (error: unknown): void => {
    log().error(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    if (tell)
      void vscode.window
        .showErrorMessage(`Backsweep could not ${what}; the log says why.`, "Show Log")
        .then(showLog, () => {});
  };
  try {
    work()?.then(undefined, failed);
  } catch (error) {
    failed(error);
  }
}

function showLog(choice: string | undefined): void {
  if (choice !== undefined) log().show();
}
