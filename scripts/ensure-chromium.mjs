/** Finds a Chromium to drive, and where that is allowed (root on a machine with apt) installs one. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { fail, Plain, run } from "./setup.mjs";

const names = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "microsoft-edge",
];
const places = [
  "/usr/lib/chromium/chromium",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

function executable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function find() {
  const given = process.env.CHROME_PATH;
  if (given) {
    if (executable(given)) return given;
    throw new Plain(`CHROME_PATH names ${given}, which is not a program.`);
  }
  const suffix = process.platform === "win32" ? ".exe" : "";
  const onPath = (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name + suffix)));
  return [...onPath, ...places].find(executable) ?? null;
}

/** Resolves to the path of a Chromium or Chrome. */
export async function ensureChromium() {
  const found = find();
  if (found !== null) return found;
  if (process.platform === "linux" && process.getuid?.() === 0 && executable("/usr/bin/apt-get")) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    await run("apt-get", ["update", "-q"], { env, title: "Updating the package list (apt-get update)" });
    const { code, output } = await run(
      "apt-get",
      ["install", "-y", "-q", "--no-install-recommends", "chromium"],
      {
        env,
        title: "Installing Chromium (apt-get install chromium)",
      },
    );
    const installed = code === 0 ? find() : null;
    if (installed !== null) return installed;
    process.stderr.write(`${output.trimEnd().split("\n").slice(-10).join("\n")}\n`);
  }
  throw new Plain(
    "The tests need Chromium or Chrome: install one (Debian: apt-get install chromium), or set CHROME_PATH to it.",
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  ensureChromium().then((path) => process.stdout.write(`${path}\n`), fail);
}
