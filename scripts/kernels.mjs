/**
 * Makes the generated sources of engine/kernels: the float64 kernels from the float32 ones (which round where float64
 * need not); and the WebAssembly modules from their AssemblyScript sources: that of the kernels, and that of the sweeps over
 * recordings (engine/recording/wasm, of which scripts/generate-recording.mjs writes a part). A module is compiled only if its
 * sources are not those it was made from; `--check` compiles it in any case, writes nothing and says what is not up to date.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";

const root = fileURLToPath(new URL("..", import.meta.url));
const room = join(root, "engine/kernels");

/** Folders of modules, and what each is in words. */
const modules = {
  "engine/kernels": "The WebAssembly module of the kernels",
  "engine/recording": "The WebAssembly module of the sweeps over recordings",
};

/** What the compiler is asked for: no runtime, no checks of its own, the memory from outside. */
const options = [
  "-O3",
  "--noAssert",
  "--runtime",
  "stub",
  "--importMemory",
  "--enable",
  "simd",
  "--use",
  "abort=",
];

const sha256 = (data) => createHash("sha256").update(data).digest("hex");

/** The float64 form of a float32 source: other arrays, and no rounding to single precision. */
function doubled(source, name) {
  return source
    .split("\n")
    .filter((line) => !line.includes("// f32 only"))
    .join("\n")
    .replaceAll("fround(", "(")
    .replaceAll("Float32", "Float64")
    .replaceAll("float32", "float64")
    .replaceAll("f32", "f64")
    .replaceAll("copy32", "copy64")
    .replaceAll("native.singles", "native.doubles")
    .replace(/^\/\*\*/, `// Generated from ../f32/${name} by scripts/kernels.mjs.\n/**`);
}

/** The generated float64 sources: path and text. */
export async function generated() {
  const files = [];
  for (const name of readdirSync(join(room, "f32"))) {
    const path = join(room, "f64", name);
    const style = { ...(await resolveConfig(path)), filepath: path };
    files.push({
      path,
      text: await format(doubled(readFileSync(join(room, "f32", name), "utf8"), name), style),
    });
  }
  return files;
}

const sources = (folder) => join(root, folder, "wasm");

/** Digest of a module's sources and of how they are compiled. */
export function sourceDigest(folder = "engine/kernels") {
  const names = readdirSync(sources(folder)).sort();
  const texts = names.map((name) => `${name}\n${readFileSync(join(sources(folder), name), "utf8")}`);
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return sha256([devDependencies.assemblyscript, ...options, ...texts].join("\n"));
}

async function compile(folder) {
  const { default: asc } = await import("assemblyscript/asc");
  let bytes = null;
  const { error, stderr } = await asc.main(["index.ts", "--outFile", "module.wasm", ...options], {
    readFile: (name) => {
      const path = join(sources(folder), name);
      return existsSync(path) ? readFileSync(path, "utf8") : null;
    },
    writeFile: (_name, contents) => void (bytes = Buffer.from(contents)),
    listFiles: () => [],
  });
  if (error) throw new Error(`${error.message}\n${String(stderr).slice(0, 2000)}`);
  return bytes;
}

async function moduleSource(folder) {
  const bytes = await compile(folder);
  return `// Generated from wasm/ by scripts/kernels.mjs: sources ${sourceDigest(folder)},
// module ${sha256(bytes)}
/** ${modules[folder]}, ${bytes.length} bytes, in base64. */
export const binary =
  "${bytes.toString("base64")}";
`;
}

/** Writes what is not up to date. */
export async function generate({ check = false } = {}) {
  mkdirSync(join(room, "f64"), { recursive: true });
  const files = await generated();
  for (const folder of Object.keys(modules)) {
    const path = join(root, folder, "binary.ts");
    const current = existsSync(path) ? readFileSync(path, "utf8") : "";
    if (check || !current.includes(`sources ${sourceDigest(folder)}`))
      files.push({ path, text: await moduleSource(folder) });
  }
  const stale = files.filter(({ path, text }) => !existsSync(path) || readFileSync(path, "utf8") !== text);
  if (!check) for (const { path, text } of stale) writeFileSync(path, text);
  return stale.map(({ path }) => path);
}

if (process.argv[1] && import.meta.url === new URL(`file://${process.argv[1]}`).href) {
  const check = process.argv.includes("--check");
  const stale = await generate({ check });
  if (check && stale.length > 0) {
    console.error(`not up to date, run node scripts/kernels.mjs: ${stale.join(", ")}`);
    process.exitCode = 1;
  }
}
