/** `recognise` over open documents: each version of a text is looked at once, however many ask. */
import type * as vscode from "vscode";
import { recognise, recogniseAudits as audits, type FoundGraph, type Recognised } from "./recognise.js";

const known = new WeakMap<vscode.TextDocument, { readonly version: number; readonly found: Recognised }>();

const nothing: Recognised = { imports: false, graphs: [] };

/** What the document exports; nothing for a document that is not open. */
export function recogniseDocument(document: vscode.TextDocument | undefined): Recognised {
  if (document === undefined) return nothing;
  const before = known.get(document);
  if (before?.version === document.version) return before.found;
  const found = recognise(document.getText());
  known.set(document, { version: document.version, found });
  return found;
}

const knownAudits = new WeakMap<
  vscode.TextDocument,
  { readonly version: number; readonly found: readonly FoundGraph[] }
>();

/** The engines the document exports for an audit. */
export function recogniseAudits(document: vscode.TextDocument): readonly FoundGraph[] {
  const before = knownAudits.get(document);
  if (before?.version === document.version) return before.found;
  const found = audits(document.getText());
  knownAudits.set(document, { version: document.version, found });
  return found;
}
