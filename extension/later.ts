/** Work that activation need not wait for: it is done when the event loop has turned. */
import * as vscode from "vscode";
import { attempt } from "./log.js";

/** Disposed of before its time, the work is never done. */
export function later(what: string, work: () => void): vscode.Disposable {
  const timer = setTimeout(() => attempt(what, work), 0);
  return new vscode.Disposable(() => clearTimeout(timer));
}
