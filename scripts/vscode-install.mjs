/**
 * The real VS Code the tests and `npm start` use where no desktop VS Code is: the server and workbench of VS Code
 * 1.100 that the npm package code-server carries. It is kept in .cache/, outside the extension's own dependencies.
 */
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { npm, Plain, root, say } from "./setup.mjs";

const VERSION = "4.100.3";
const cache = join(root, ".cache");
const home = join(cache, "vscode-1.100");

/** The folder of VS Code inside an installation. */
const inside = (folder) => join(folder, "node_modules", "code-server", "lib", "vscode");

/** Resolves to the folder with `out/server-main.js`, installing it first if it is not there. */
export async function ensureVscode() {
  const given = process.env.BACKSWEEP_VSCODE_SERVER;
  if (given) {
    if (existsSync(join(given, "out", "server-main.js"))) return given;
    throw new Plain(`BACKSWEEP_VSCODE_SERVER names ${given}, but there is no out/server-main.js in it.`);
  }
  if (existsSync(join(home, "installed.json"))) return inside(home);
  say("VS Code 1.100 (server and workbench, about 300 MB) is installed once into .cache/vscode-1.100.");
  mkdirSync(cache, { recursive: true });
  const temporary = join(cache, `vscode-1.100.${process.pid}.tmp`);
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary);
  try {
    writeFileSync(
      join(temporary, "package.json"),
      `${JSON.stringify({ name: "vscode-for-tests", private: true })}\n`,
    );
    await install(temporary, [`code-server@${VERSION}`], "Installing VS Code (1 of 2)");
    await install(inside(temporary), ["--omit=dev"], "Installing VS Code (2 of 2)");
    symlinkSync("node_modules", join(inside(temporary), "node_modules.asar"), "junction");
    // without its own dependencies, which are not installed, this extension only complains that its server is gone
    rmSync(join(inside(temporary), "extensions", "typescript-language-features"), {
      recursive: true,
      force: true,
    });
    writeFileSync(join(temporary, "installed.json"), `${JSON.stringify({ "code-server": VERSION })}\n`);
    rmSync(home, { recursive: true, force: true });
    renameSync(temporary, home);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return inside(home);
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
