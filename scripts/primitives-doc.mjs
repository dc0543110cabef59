/** Writes docs/primitives.md and docs/arrays-table.md from the tables of primitives. Run it after a change in engine/ops/. */
import { writeFileSync } from "node:fs";
import { build } from "esbuild";

const root = new URL("../", import.meta.url);
const bundle = await build({
  stdin: {
    contents:
      'export { primitivesMarkdown } from "./engine/ops/document.ts"; export { primitives } from "./engine/ops/table.ts";' +
      'export { arraysMarkdown } from "./engine/ops/array/document.ts";' +
      'export { arrayPrimitives, innerRows } from "./engine/ops/array/table.ts";',
    resolveDir: new URL(".", root).pathname,
  },
  bundle: true,
  write: false,
  format: "esm",
  platform: "node",
});
const source = Buffer.from(bundle.outputFiles[0].contents).toString("base64");
const { primitives, primitivesMarkdown, arrayPrimitives, arraysMarkdown, innerRows } = await import(
  `data:text/javascript;base64,${source}`
);
writeFileSync(new URL("docs/primitives.md", root), primitivesMarkdown(primitives));
console.log(`docs/primitives.md: ${primitives.length} primitives`);

const lifted = new Set(primitives.map(({ name }) => name));
const own = arrayPrimitives.filter(({ name }) => !lifted.has(name));
writeFileSync(new URL("docs/arrays-table.md", root), arraysMarkdown(own, innerRows));
console.log(`docs/arrays-table.md: ${own.length} rows`);
