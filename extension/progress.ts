/** Progress of work that takes long, with a way to cancel it; work that ends soon shows none. */
import { setTimeout as later } from "node:timers/promises";
import * as vscode from "vscode";

/** Work that ends sooner shows no progress: it would only flicker. */
const PROGRESS_AFTER_MS = 500;

/**
 * Shows progress from half a second on until the work is done or aborted. `loud`: the user asked for it, so it is a
 * notification with a button; otherwise it is said in the status bar.
 */
export async function showProgress(
  title: string,
  done: Promise<unknown>,
  abort: AbortController,
  loud: boolean,
): Promise<void> {
  const ended = done.then(
    () => true,
    () => true,
  );
  if ((await Promise.race([ended, later(PROGRESS_AFTER_MS, false)])) || abort.signal.aborted) return;
  await vscode.window.withProgress(
    {
      location: loud ? vscode.ProgressLocation.Notification : vscode.ProgressLocation.Window,
      title,
      cancellable: true,
    },
    async (_, token) => {
      token.onCancellationRequested(() => abort.abort());
      const aborted = new Promise((resolve) =>
        abort.signal.addEventListener("abort", resolve, { once: true }),
      );
      await Promise.race([ended, aborted]);
    },
  );
}
