/** Measures Backsweep against hand-written code and against other engines. `npm run bench -- --help` */
import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { engines, type EngineEntry } from "./engines/index.js";
import { measurements, measureSection } from "./extra/index.js";
import { met, type Section } from "./extra/section.js";
import { judge } from "./goals.js";
import { parseOptions, usage, wanted, type Options } from "./options.js";
import { installPeer } from "./peers/install.js";
import { places } from "./places.js";
import { fullSize, isProblem, smokeSize } from "./problems/index.js";
import { performanceDocument, type Results } from "./report/document.js";
import { itemHead, itemRows } from "./report/items.js";
import { goalHead, goalRows, sectionHead, sectionRows } from "./report/sections.js";
import { textTable } from "./report/table.js";
import { measureItem, type ItemResult } from "./rounds.js";

function chosenEngines(options: Options): EngineEntry[] {
  const ids = engines.map(({ id }) => id);
  return engines.filter(
    (entry, i) =>
      i === 0 || (wanted(entry.id, options.engines, ids) && !(options.smoke && entry.peer !== undefined)),
  );
}

/** The work items that were asked for, by part of their id, or by the whole id of any size. */
function chosenItems({ smoke, only }: Options): string[] {
  const parts = only.filter((part) => !isProblem(part));
  const whole = only.filter(isProblem);
  if (parts.length === 0 && whole.length > 0) return whole;
  return [...(smoke ? smokeSize : fullSize).filter((id) => wanted(id, parts)), ...whole];
}

/** Reasons of the engines whose packages could not be had. */
async function install(entries: readonly EngineEntry[], options: Options): Promise<Map<string, string>> {
  const missing = new Map<string, string>();
  for (const { id, peer } of entries) {
    if (peer === undefined) continue;
    const reason = await installPeer(peer, options.offline);
    if (reason !== null) missing.set(id, reason);
  }
  return missing;
}

async function measure(options: Options, say: (text: string) => void): Promise<Results> {
  const load = loadavg()[0];
  const items: ItemResult[] = [];
  const sections: Section[] = [];
  const ids = chosenItems(options);
  if (ids.length > 0) {
    const entries = chosenEngines(options);
    const missing = await install(entries, options);
    for (const id of ids) {
      const item = await measureItem(id, entries, missing, options);
      items.push(item);
      say(`\n${item.title}\n\n${textTable(itemHead, itemRows(item))}`);
    }
  }
  for (const entry of measurements.filter(({ id }) => wanted(id, options.only))) {
    const section = await measureSection(entry, options);
    sections.push(section);
    say(`\n${section.title}\n\n${textTable(sectionHead, sectionRows(section))}`);
  }
  const goals = judge(items);
  const titleOf = (id: string): string => items.find((item) => item.id === id)?.title ?? id;
  if (goals.length > 0) say(`\nGoals\n\n${textTable(goalHead, goalRows(goals, titleOf))}`);
  return { items, sections, goals, load, date: new Date().toISOString().slice(0, 10) };
}

/** What must not be: an engine of the project's own that fails or computes something else. A missed goal is no failure. */
function broken({ items, sections }: Results): string[] {
  return [
    ...items.flatMap((item) =>
      item.engines
        .filter(({ group, failure, refused }) => group !== "peer" && failure !== null && !refused)
        .map(({ title, failure }) => `${item.title}: ${title}: ${failure}`),
    ),
    ...sections.flatMap(({ title, figures }) =>
      figures
        .filter((figure) => met(figure) === null && /^(failed|DISAGREES|did not run)/.test(figure.note ?? ""))
        .map(({ what, note }) => `${title}: ${what}: ${note}`),
    ),
  ];
}

/** As the house formats its documents. */
async function write(text: string): Promise<void> {
  const file = join(places().root, "docs/performance.md");
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), parser: "markdown" }));
}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes("--help")) return console.log(usage);
  if (args.includes("--list")) {
    const ids = [
      ...fullSize,
      ...smokeSize,
      ...measurements.map(({ id }) => id),
      ...engines.map(({ id }) => id),
    ];
    return console.log(ids.join("\n"));
  }
  const options = parseOptions(args);
  const results = await measure(options, (text) => {
    if (!options.json) console.log(text);
  });
  if (options.json) console.log(JSON.stringify(results, null, 2));
  if (options.write) await write(performanceDocument(results, options));
  for (const line of broken(results)) {
    console.error(line);
    process.exitCode = 1;
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
