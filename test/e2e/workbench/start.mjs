/** `npm start` as a person meets it: an address that opens the example, trust left on, nothing left behind. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { root } from "../../../scripts/setup.mjs";
import { lens, workbenchReady } from "./workbench.mjs";

export const start = {
  name: "start",
  server: null,
  steps: {
    "npm start prints an address with a token": async ({ memory }) => {
      const child = spawn(process.execPath, [join(root, "scripts", "start.mjs"), "--server", "--no-build"], {
        stdio: ["ignore", "pipe", "pipe"],
      });
      memory.child = child;
      memory.ended = new Promise((resolve) => child.once("exit", resolve));
      let output = "";
      memory.address = await new Promise((resolve, reject) => {
        const look = (text) => {
          output += text;
          const found = /(http:\/\/127\.0\.0\.1:\d+\/\?tkn=\S+)/.exec(output);
          if (found) resolve(found[1]);
        };
        child.stdout.on("data", look);
        child.stderr.on("data", look);
        memory.ended.then((code) => reject(new Error(`ended with ${code}:\n${output}`)));
      });
    },
    "the address is useless without the token": async ({ memory }) => {
      const { status } = await globalThis.fetch(new globalThis.URL("/", memory.address), {
        redirect: "manual",
      });
      assert.equal(status, 403);
    },
    "it opens the example with its CodeLens, in Restricted Mode until trusted": async ({ page, memory }) => {
      await page.goto(memory.address);
      await workbenchReady(page);
      await page.locator(".monaco-dialog-box", { hasText: "trust" }).waitFor({ timeout: 120_000 });
      await page.locator(".monaco-dialog-box .monaco-button", { hasText: /^Yes/ }).click();
      await workbenchReady(page, "fan-out.graph.ts");
      await lens(page).waitFor({ timeout: 120_000 });
    },
    "Ctrl-C ends it and its server": async ({ page, memory }) => {
      await page.goto("about:blank");
      memory.child.kill("SIGINT");
      await memory.ended;
      const { origin } = new globalThis.URL(memory.address);
      await assert.rejects(globalThis.fetch(origin));
    },
  },
};
