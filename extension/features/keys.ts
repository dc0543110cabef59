/** Context keys for menus and keybindings: backsweep.hasSweep, .stale, .running. (backsweep.isGraph is set at activation.) */
import * as vscode from "vscode";
import { attempt } from "../log.js";
import type { Shown } from "./shown.js";

export class ContextKeys implements vscode.Disposable {
  private readonly known = new Map<string, boolean>();
  private readonly listener: vscode.Disposable;

  constructor(private readonly shown: Shown) {
    this.listener = shown.onDidChange(() => this.update());
    this.update();
  }

  private update(): void {
    const { screen, sweep } = this.shown;
    this.set("backsweep.hasSweep", sweep !== null);
    this.set("backsweep.stale", sweep !== null && screen.isStale);
    this.set("backsweep.running", screen.isRunning);
  }

  private set(key: string, value: boolean): void {
    if (this.known.get(key) === value) return;
    this.known.set(key, value);
    attempt("set the context", () => vscode.commands.executeCommand("setContext", key, value));
  }

  dispose(): void {
    this.listener.dispose();
  }
}
