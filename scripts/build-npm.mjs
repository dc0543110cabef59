/** The npm package under dist/npm: the engine as a library, the loader for plain Node, types, and a manifest of its own. */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import * as esbuild from "esbuild";

const exec = promisify(execFile);

/** Entries that share state are built together: the runtime must record on the same tape as the library. */
const entries = {
  index: "engine/index.ts",
  runtime: "engine/compile/runtime/index.ts",
  register: "runner/register.ts",
  "register-hooks": "runner/register-hooks.ts",
  "eslint-plugin": "eslint-plugin/index.ts",
};

function manifest(root) {
  const { name, version, description, license } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const entry = (file) => ({
    types: `./types/${entries[file].replace(/\.ts$/, ".d.ts")}`,
    default: `./${file}.js`,
  });
  return {
    name,
    version,
    description,
    license,
    type: "module",
    engines: { node: ">=20.6" },
    sideEffects: ["./register.js", "./register-hooks.js"],
    exports: {
      ".": entry("index"),
      "./register": entry("register"),
      "./runtime": entry("runtime"),
      "./eslint-plugin": entry("eslint-plugin"),
      "./package.json": "./package.json",
    },
    types: "./types/engine/index.d.ts",
    bin: { backsweep: "./cli.js" },
    files: ["*.js", "*.d.ts", "*.cache", "*.wasm", "chunks", "types", "docs/rules", "THIRD-PARTY-NOTICES.md"],
  };
}

async function declarations(root, out) {
  const project = `${out}.tsconfig.json`;
  writeFileSync(
    project,
    JSON.stringify({
      extends: join(root, "tsconfig.json"),
      compilerOptions: {
        noEmit: false,
        // what was written before may be gone, and nothing would be written again
        incremental: false,
        tsBuildInfoFile: null,
        declaration: true,
        emitDeclarationOnly: true,
        noCheck: true,
        outDir: join(out, "types"),
        rootDir: root,
      },
      include: [],
      files: ["index", "runtime", "register", "eslint-plugin"].map((entry) => join(root, entries[entry])),
    }),
  );
  try {
    await exec(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", project], {
      cwd: root,
    });
  } catch (error) {
    throw new Error(`types of the npm package: ${error.stdout || error.message}`, { cause: error });
  } finally {
    rmSync(project, { force: true });
  }
}

/** esbuild's options for the library and the loader of plain Node. */
export function libraryBundle(root, common, out) {
  return {
    ...common,
    outdir: out,
    entryPoints: Object.entries(entries).map(([name, file]) => ({ in: join(root, file), out: name })),
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    platform: "neutral",
    external: ["node:*"],
    mainFields: ["module", "main"],
  };
}

/** `from`: where the command line and the runner were built; `out`: the package. */
export async function buildPackage({
  root,
  common,
  types,
  from = join(root, "dist"),
  out = join(from, "npm"),
}) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  await esbuild.build(libraryBundle(root, common, out));
  const started = /^(?:cli|runner|worker)[-.].*(?:js|cache)$|\.wasm$/;
  for (const file of readdirSync(from).filter((name) => started.test(name)))
    cpSync(join(from, file), join(out, file));
  // the pages that the rules of the ESLint plugin are described in
  cpSync(join(root, "docs/rules"), join(out, "docs/rules"), { recursive: true });
  for (const file of ["LICENSE", "README.md", "THIRD-PARTY-NOTICES.md"])
    if (existsSync(join(root, file))) cpSync(join(root, file), join(out, file));
  writeFileSync(join(out, "package.json"), `${JSON.stringify(manifest(root), null, 2)}\n`);
  if (!types) return;
  await declarations(root, out);
  // resolvers that know no "exports" look beside the module
  for (const entry of ["register", "eslint-plugin"]) {
    const from = `./types/${entries[entry].replace(/\.ts$/, ".js")}`;
    const lines = [`export * from "${from}";`];
    if (entry === "eslint-plugin") lines.push(`export { default } from "${from}";`);
    writeFileSync(join(out, `${entry}.d.ts`), `${lines.join("\n")}\n`);
  }
}
