/**
 * The real VS Code the tests and `npm start` use where no desktop VS Code is: the server and workbench that the npm
 * package code-server carries, the oldest VS Code we support or the newest to be had. Each is kept in .cache/, outside the
 * extension's own dependencies.
 */
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { npm, Plain, root, say } from "./setup.mjs";

const cache = join(root, ".cache");

/** Versions of code-server and of the VS Code in it, and the Node it runs on (null: ours). */
const versions = {
  oldest: { package: "4.100.3", vscode: "1.100", node: null },
  newest: { package: "4.139.1", vscode: "1.139", node: "24" },
};

/** The folder of VS Code inside an installation. */
const inside = (folder) => join(folder, "node_modules", "code-server", "lib", "vscode");

/**
 * The VS Code server, installed first if it is not there.
 * @param {"oldest" | "newest"} which
 * @returns {Promise<{ folder: string, node: string }>} the folder with `out/server-main.js`, and the Node to run it with
 */
export async function ensureVscode(which = "oldest") {
  const given = process.env.BACKSWEEP_VSCODE_SERVER;
  if (given) {
    if (existsSync(join(given, "out", "server-main.js"))) return { folder: given, node: process.execPath };
    throw new Plain(`BACKSWEEP_VSCODE_SERVER names ${given}, but there is no out/server-main.js in it.`);
  }
  const version = versions[which];
  if (version === undefined)
    throw new Plain(`There is no VS Code "${which}" to test in: say ${Object.keys(versions).join(" or ")}.`);
  const home = join(cache, `vscode-${version.vscode}`);
  const node = nodeOf(version, home);
  if (!existsSync(join(home, "installed.json"))) await installInto(home, version, node);
  return { folder: inside(home), node: node.path };
}

/** The Node a version runs on: ours where it is new enough, else one that comes as an npm package. */
function nodeOf({ node: wanted }, home) {
  const major = Number(process.versions.node.split(".")[0]);
  if (wanted === null || major >= Number(wanted)) return { path: process.execPath, package: null };
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const binary = process.platform === "win32" ? "node.exe" : "node";
  return { path: join(home, "node_modules", name, "bin", binary), package: `${name}@${wanted}` };
}

async function installInto(home, version, node) {
  say(
    `VS Code ${version.vscode} (server and workbench, about 300 MB) is installed once into .cache/vscode-${version.vscode}.`,
  );
  mkdirSync(cache, { recursive: true });
  const temporary = `${home}.${process.pid}.tmp`;
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary);
  try {
    writeFileSync(
      join(temporary, "package.json"),
      `${JSON.stringify({ name: "vscode-for-tests", private: true })}\n`,
    );
    const packages = [`code-server@${version.package}`, ...(node.package === null ? [] : [node.package])];
    await install(temporary, ["--engine-strict=false", ...packages], "Installing VS Code (1 of 2)");
    await install(inside(temporary), ["--engine-strict=false", "--omit=dev"], "Installing VS Code (2 of 2)");
    symlinkSync("node_modules", join(inside(temporary), "node_modules.asar"), "junction");
    // without its own dependencies, which are not installed, this extension only complains that its server is gone
    rmSync(join(inside(temporary), "extensions", "typescript-language-features"), {
      recursive: true,
      force: true,
    });
    writeFileSync(
      join(temporary, "installed.json"),
      `${JSON.stringify({ "code-server": version.package })}\n`,
    );
    rmSync(home, { recursive: true, force: true });
    renameSync(temporary, home);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function install(cwd, args, title) {
  // what npm tells its scripts about our own project must not leak into an installation elsewhere
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(config_local_prefix|package_|lifecycle_)/.test(name),
    ),
  );
  const { code, output } = await npm(["install", "--ignore-scripts", "--no-audit", "--no-fund", ...args], {
    cwd,
    env,
    title,
  });
  if (code === 0) return;
  say(output.trimEnd().split("\n").slice(-20).join("\n"));
  throw new Plain(
    "VS Code could not be installed from the npm registry (see above); it needs an internet connection the first time.",
  );
}
