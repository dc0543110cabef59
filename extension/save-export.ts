/** Saves a picture the view made, or its numbers. The view is answered at once: the dialog may stay open longer than a request may take. */
import { basename } from "node:path";
import * as vscode from "vscode";
import type { ExportRequest } from "../engine/protocol.js";
import { attempt } from "./log.js";

const LIMIT = 64 * 1024 * 1024;

const kinds = { svg: "picture", png: "picture", csv: "data", json: "data" } as const;

/** Asks where to save and writes the file. Throws on a request that cannot be saved. */
export function saveExport({ name, format, data }: ExportRequest, folder: vscode.Uri | null): "asked" {
  if (!Object.hasOwn(kinds, format)) throw new Error("only SVG, PNG, CSV and JSON can be exported");
  const kind = kinds[format];
  if (data.length > LIMIT) throw new Error(`the ${kind} is too large to export`);
  const bytes =
    format === "png"
      ? Buffer.from(data.replace(/^data:image\/png;base64,/, ""), "base64")
      : Buffer.from(data, "utf8");
  const file = `${basename(name).replace(/[^\w.-]+/g, "-") || "backsweep"}.${format}`;
  attempt(
    `save the ${kind}`,
    async () => {
      const target = await vscode.window.showSaveDialog({
        title: `Export ${kind}`,
        filters: { [format.toUpperCase()]: [format] },
        ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, file) } : {}),
      });
      if (target) await vscode.workspace.fs.writeFile(target, bytes);
    },
    true,
  );
  return "asked";
}
