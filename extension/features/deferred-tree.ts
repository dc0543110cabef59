/** Stands for the tree's data until there is a sweep: the view is there at once, what fills it is loaded with the first run. */
import * as vscode from "vscode";

export class DeferredTree<T> implements vscode.TreeDataProvider<T> {
  private provider: vscode.TreeDataProvider<T> | null = null;
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;

  use(provider: vscode.TreeDataProvider<T>): void {
    this.provider = provider;
    provider.onDidChangeTreeData?.(() => this.changed.fire());
    this.changed.fire();
  }

  getChildren(element?: T): vscode.ProviderResult<T[]> {
    return this.provider?.getChildren(element) ?? [];
  }

  getParent(element: T): vscode.ProviderResult<T> {
    return this.provider?.getParent?.(element);
  }

  getTreeItem(element: T): vscode.TreeItem | Thenable<vscode.TreeItem> {
    return this.provider!.getTreeItem(element);
  }
}
