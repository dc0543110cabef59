/** Writes docs/primitives.md from the table of primitives. Run it after a change in engine/ops/. */
import { writeFileSync } from "node:fs";
import { build } from "esbuild";

const root = new URL("../", import.meta.url);
const bundle = await build({
  stdin: {
    contents:
      'export { primitivesMarkdown } from "./engine/ops/document.ts"; export { primitives } from "./engine/ops/table.ts";',
    resolveDir: new URL(".", root).pathname,
  },
  bundle: true,
  write: false,
  format: "esm",
  platform: "node",
});
const source = Buffer.from(bundle.outputFiles[0].contents).toString("base64");
const { primitives, primitivesMarkdown } = await import(`data:text/javascript;base64,${source}`);
writeFileSync(new URL("docs/primitives.md", root), primitivesMarkdown(primitives));
console.log(`docs/primitives.md: ${primitives.length} primitives`);
