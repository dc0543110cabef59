/**
 * Files of the workspace by the ending of their names. VS Code's own search comes first; where it fails (a server without
 * its search program, a file system without a search) the folders are walked one by one.
 */
import * as vscode from "vscode";
import { log } from "../log.js";

/** Folders that hold nobody's own code. */
const NEVER = new Set(["node_modules", ".git", ".hg", ".svn"]);
/** Folders looked into at most: what is not found in so many is found when it is opened. */
const MOST_FOLDERS = 5_000;

/** Endings such as `.graph.ts`; a file's name has more than that before it or not. */
export interface Wanted {
  /** for the search: a pattern over the workspace */
  readonly glob: string;
  /** for the walk: the same of a file's name */
  readonly name: RegExp;
}

let told = false;

export async function findFiles({ glob, name }: Wanted, most: number): Promise<vscode.Uri[]> {
  try {
    return await vscode.workspace.findFiles(glob, "**/node_modules/**", most);
  } catch (error) {
    if (!told) {
      told = true;
      const why = error instanceof Error ? error.message : String(error);
      log().warn(`The search of VS Code failed (${why}): folders are read one by one instead.`);
    }
    return walk(name, most);
  }
}

/** Breadth first, so that what lies near the top is found however large the workspace is. */
async function walk(name: RegExp, most: number): Promise<vscode.Uri[]> {
  const found: vscode.Uri[] = [];
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  for (let at = 0; at < folders.length && at < MOST_FOLDERS && found.length < most; at++) {
    const folder = folders[at];
    let entries: readonly [string, vscode.FileType][];
    try {
      entries = await vscode.workspace.fs.readDirectory(folder);
    } catch {
      // a folder that may not be read holds nothing for us
      continue;
    }
    for (const [entry, type] of entries) {
      const uri = vscode.Uri.joinPath(folder, entry);
      // a link to a folder may lead back to where it is
      if (type === vscode.FileType.Directory) {
        if (!NEVER.has(entry)) folders.push(uri);
      } else if ((type & vscode.FileType.File) !== 0 && name.test(entry) && found.length < most)
        found.push(uri);
    }
  }
  return found;
}
