/**
 * Stands between a script and the VS Code server it started. When the script is gone, however it went, its end of our
 * stdin closes, and the server goes with all its children: they share this process group's fate.
 * Usage: node vscode-supervise.mjs PROGRAM ARGS... (run detached, stdin a pipe)
 */
import { spawn } from "node:child_process";

const child = spawn(process.execPath, process.argv.slice(2), { stdio: ["ignore", "inherit", "inherit"] });

function stop() {
  if (process.platform === "win32") {
    spawn("taskkill", ["/pid", String(child.pid), "/t", "/f"]).once("close", () => process.exit(0));
    return;
  }
  try {
    process.kill(-process.pid, "SIGKILL");
  } catch {
    process.exit(0);
  }
}

child.once("exit", (code) => {
  process.exitCode = code ?? 1;
  stop();
});
process.stdin.resume();
process.stdin.once("end", stop);
process.stdin.once("error", stop);
for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"]) process.on(signal, stop);
