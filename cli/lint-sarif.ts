/** SARIF 2.1.0 (OASIS, 2020): results with levels by evidence, related locations, fingerprints and fixes. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { VERSION } from "../engine/graph/version.js";
import type { Place, Report } from "../engine/lint/report.js";
import { rules } from "../engine/lint/rules/index.js";
import { isTrouble, type FileResult } from "./lint-results.js";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";
const LEVELS = { error: "error", warning: "warning", info: "note" } as const;

export function sarif(results: readonly FileResult[], cwd: string): string {
  const document = {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "backsweep",
            semanticVersion: VERSION,
            rules: rules.map(({ name, summary, severity }) => ({
              id: name,
              name,
              shortDescription: { text: summary },
              help: helpOf(name, summary),
              defaultConfiguration: { level: LEVELS[severity["proven-siblings"]] },
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        originalUriBaseIds: { ROOT: { uri: `${pathToFileURL(cwd).href}/` } },
        results: results.flatMap((file) => [
          ...[...file.reports, ...file.infos].map((report) => result(file, report, cwd, null)),
          ...file.suppressed.map((report) => result(file, report, cwd, report.reason)),
        ]),
        invocations: [
          {
            executionSuccessful: results.every(({ notes }) => !notes.some(isTrouble)),
            toolExecutionNotifications: results.flatMap((file) => notifications(file, cwd)),
          },
        ],
      },
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Where the pages of the rules are: beside the bundle in the package, one floor up in the repository and the extension. */
const PAGES = ["docs/rules", "../docs/rules"];

/** The page of a rule goes with the report: whoever reads it elsewhere has no copy of the pages. */
function helpOf(name: string, summary: string): { readonly text: string; readonly markdown?: string } {
  for (const folder of PAGES) {
    try {
      const page = readFileSync(new URL(`${folder}/${name}.md`, import.meta.url), "utf8");
      return { text: page, markdown: page };
    } catch {
      // the other place
    }
  }
  return { text: summary };
}

function result(file: FileResult, report: Report, cwd: string, reason: string | null): object {
  return {
    ruleId: report.rule,
    ruleIndex: rules.findIndex(({ name }) => name === report.rule),
    level: LEVELS[report.severity],
    message: { text: report.message },
    locations: [{ physicalLocation: physical(file, report, cwd) }],
    relatedLocations: report.related.map((related, id) => ({
      id,
      message: { text: related.message },
      physicalLocation: physical(file, related, cwd),
    })),
    partialFingerprints: { "backsweepLine/v1": fingerprint(file, report) },
    properties: { evidence: report.evidence },
    ...(reason === null
      ? {}
      : { suppressions: [{ kind: "inSource", ...(reason === "" ? {} : { justification: reason }) }] }),
    ...(report.suggestions.length === 0
      ? {}
      : {
          fixes: report.suggestions.map(({ title, edits }) => ({
            description: { text: title },
            artifactChanges: [
              {
                artifactLocation: location(file, cwd),
                replacements: edits.map(({ start, end, text }) => ({
                  deletedRegion: { charOffset: start, charLength: end - start },
                  insertedContent: { text },
                })),
              },
            ],
          })),
        }),
  };
}

function notifications(file: FileResult, cwd: string): object[] {
  return file.notes.map((note) => ({
    level: isTrouble(note) ? "error" : "note",
    message: { text: note.message },
    locations: [{ physicalLocation: physical(file, note, cwd) }],
  }));
}

function physical(file: FileResult, place: Place, cwd: string): object {
  return {
    artifactLocation: location(file, cwd),
    region: {
      startLine: place.line,
      startColumn: place.column,
      endLine: place.endLine,
      endColumn: place.endColumn,
    },
  };
}

function location(file: FileResult, cwd: string): object {
  const path = relative(cwd, file.path);
  if (path.startsWith("..")) return { uri: pathToFileURL(file.path).href };
  return { uri: path.split(sep).map(encodeURIComponent).join("/"), uriBaseId: "ROOT" };
}

/** The same fault on a line that moved keeps its fingerprint: rule, the line's text, and which of equal ones it is. */
function fingerprint(file: FileResult, report: Report): string {
  const lines = file.text.split("\n");
  const line = (lines[report.line - 1] ?? "").trim();
  const before = file.reports.filter(
    (other) =>
      other.rule === report.rule &&
      other.start < report.start &&
      (lines[other.line - 1] ?? "").trim() === line,
  ).length;
  return createHash("sha256").update(`${report.rule}\0${line}\0${before}`).digest("hex").slice(0, 32);
}
