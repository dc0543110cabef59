/**
 * The tree view "Computation graph": the same data as the panel, for the keyboard and for screen readers. Children are
 * asked for when a node is opened; what is selected here is selected in the panel and shown in the source, and back.
 */
import * as vscode from "vscode";
import { firstChild, operandsOf, operandText, outputNodes, wayTo } from "../../engine/report/operands.js";
import { isInput } from "../../engine/report/overwrites.js";
import { cotangent } from "../../engine/report/quantity.js";
import { attempt } from "../log.js";
import type { DeferredTree } from "./deferred-tree.js";
import type { Shown } from "./shown.js";
import { besideRight } from "./wrong.js";

/** A node at one place of the tree. */
export interface Branch {
  readonly node: number;
  readonly parent: Branch | null;
  readonly id: string;
}

/** A selection that lies deeper than this is not unfolded: every level would be opened. */
const DEPTH = 40;

export interface TreeEvents {
  select(node: number): void;
  reveal(node: number): void;
}

export class GraphTree implements vscode.TreeDataProvider<Branch>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly disposables: vscode.Disposable[];
  readonly onDidChangeTreeData = this.changed.event;
  private told: unknown = null;
  private selected = -1;

  constructor(
    private readonly shown: Shown,
    private readonly view: vscode.TreeView<Branch>,
    deferred: DeferredTree<Branch>,
    private readonly events: TreeEvents,
  ) {
    this.disposables = [
      this.changed,
      shown.onDidChange((change) => this.update(change === "moved")),
      view.onDidChangeSelection(({ selection }) => this.chosen(selection[0])),
      view.onDidChangeVisibility(({ visible }) => {
        if (visible) this.follow();
      }),
    ];
    deferred.use(this);
    this.update(false);
  }

  private update(moved: boolean): void {
    const { sweep, screen } = this.shown;
    if (sweep !== this.told) {
      this.told = sweep;
      this.selected = -1;
      this.changed.fire();
    }
    this.view.description = sweep?.view.graph ?? "";
    this.view.message = screen.isStale ? "Older than the text: run the sweep again." : undefined!;
    if (moved) this.follow();
  }

  private chosen(branch: Branch | undefined): void {
    if (branch === undefined || branch.node === this.shown.screen.selected) return;
    this.selected = branch.node;
    this.events.select(branch.node);
    this.events.reveal(branch.node);
  }

  /** Unfolds the tree to what is selected in the panel or the source; a hidden tree is left alone. */
  private follow(): void {
    const { sweep, screen } = this.shown;
    const { selected } = screen;
    if (sweep === null || selected < 0 || selected === this.selected || !this.view.visible) return;
    this.selected = selected;
    const way = wayTo(sweep.timeline, selected, DEPTH);
    if (way === null) return;
    let branch: Branch | null = null;
    for (const node of way) branch = this.branch(node, branch);
    attempt("show the node in the tree", () => this.view.reveal(branch!, { select: true, focus: false }));
  }

  private branch(node: number, parent: Branch | null): Branch {
    // the same in the next sweep, so that what is unfolded stays unfolded
    return { node, parent, id: `${parent?.id ?? this.shown.sweep?.view.graph ?? ""}/${node}` };
  }

  getChildren(branch?: Branch): Branch[] {
    const { sweep } = this.shown;
    if (sweep === null) return [];
    const nodes = branch ? operandsOf(sweep.trace, branch.node) : outputNodes(sweep.trace);
    return nodes.map((node) => this.branch(node, branch ?? null));
  }

  getParent(branch: Branch): Branch | null {
    return branch.parent;
  }

  getTreeItem({ node, parent, id }: Branch): vscode.TreeItem {
    const sweep = this.shown.sweep!;
    const { trace, timeline } = sweep;
    const repeated =
      parent !== null && firstChild(timeline, node) !== parent.node && timeline.slots(node) > 1;
    const wrong = besideRight(sweep, (of) => cotangent(of, node));
    const { label, description } = operandText(timeline, node, repeated, wrong);
    const leaf = operandsOf(trace, node).length === 0;
    const item = new vscode.TreeItem(
      label,
      leaf
        ? vscode.TreeItemCollapsibleState.None
        : parent === null
          ? vscode.TreeItemCollapsibleState.Expanded
          : vscode.TreeItemCollapsibleState.Collapsed,
    );
    item.id = id;
    item.description = description;
    item.tooltip = `${label} ${description}`;
    item.iconPath = new vscode.ThemeIcon(
      repeated
        ? "references"
        : isInput(trace, node)
          ? "symbol-parameter"
          : leaf
            ? "symbol-constant"
            : "symbol-operator",
    );
    return item;
  }

  dispose(): void {
    for (const part of this.disposables) part.dispose();
  }
}
