/** Saves a picture the view made. The view is answered at once: the dialog may stay open longer than a request may take. */
import { basename } from "node:path";
import * as vscode from "vscode";
import type { ViewRequest } from "../engine/protocol.js";
import { attempt } from "./log.js";

const LIMIT = 64 * 1024 * 1024;

/** Asks where to save and writes the file. Throws on a request that cannot be saved. */
export function saveExport({ name, format, data }: ViewRequest, folder: vscode.Uri | null): "asked" {
  if (format !== "svg" && format !== "png") throw new Error("only SVG and PNG can be exported");
  if (data.length > LIMIT) throw new Error("the picture is too large to export");
  const bytes =
    format === "svg"
      ? Buffer.from(data, "utf8")
      : Buffer.from(data.replace(/^data:image\/png;base64,/, ""), "base64");
  const file = `${basename(name).replace(/[^\w.-]+/g, "-") || "backsweep"}.${format}`;
  attempt(
    "save the picture",
    async () => {
      const target = await vscode.window.showSaveDialog({
        title: "Export picture",
        filters: { [format.toUpperCase()]: [format] },
        ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, file) } : {}),
      });
      if (target) await vscode.workspace.fs.writeFile(target, bytes);
    },
    true,
  );
  return "asked";
}
