/** Progress of work that takes long, with a way to cancel it; work that ends soon shows none. */
import { setTimeout as later } from "node:timers/promises";
import * as vscode from "vscode";

/** Work that ends sooner shows no progress: it would only flicker. */
const PROGRESS_AFTER_MS = 500;

/** What is said of work under way: each word takes the place of the one before. */
export class Word {
  private text = "";
  private listener: ((text: string) => void) | null = null;

  say(text: string): void {
    this.text = text;
    this.listener?.(text);
  }

  /** Calls the listener with the latest word, and with those to come. */
  listen(listener: (text: string) => void): void {
    this.listener = listener;
    if (this.text !== "") listener(this.text);
  }
}

/**
 * Shows progress from half a second on until the work is done or aborted. `loud`: the user asked for it, so it is a
 * notification with a button; otherwise it is said in the status bar. `word`: how far the work is, behind the title.
 */
export async function showProgress(
  title: string,
  done: Promise<unknown>,
  abort: AbortController,
  loud: boolean,
  word?: Word,
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
    async (progress, token) => {
      word?.listen((message) => progress.report({ message }));
      token.onCancellationRequested(() => abort.abort());
      const aborted = new Promise((resolve) =>
        abort.signal.addEventListener("abort", resolve, { once: true }),
      );
      await Promise.race([ended, aborted]);
    },
  );
}
