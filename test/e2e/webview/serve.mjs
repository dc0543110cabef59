/* global URL, Buffer, process */
/** Bundles the view and the harness, and serves the page with its real content security policy. */
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { formulas } from "../../../scripts/formulas-plugin.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** As the build does: what needs the plotting library is a second script. */
const plotsApart = {
  name: "plots-apart",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/plots\.js$/ }, () => ({ path: "./plots.js", external: true })),
};

async function bundle(entry, format = "iife") {
  const result = await build({
    entryPoints: [root + entry],
    bundle: true,
    write: false,
    outdir: "/out",
    format,
    target: "es2022",
    minify: process.env.DEBUG === undefined,
    logLevel: "silent",
    plugins: [plotsApart, formulas],
  });
  const text = (extension) => result.outputFiles.find((file) => file.path.endsWith(extension))?.text ?? "";
  return { js: text(".js"), css: text(".css") };
}

/** Returns the origin and a function that stops the server. */
export async function serve() {
  const [view, plots, harness, shell] = await Promise.all([
    bundle("webview/main.ts"),
    bundle("webview/plots.ts", "esm"),
    bundle("test/e2e/webview/harness.mjs"),
    bundle("webview/shell.ts", "esm"),
  ]);
  const { shellHtml } = await import(
    `data:text/javascript;base64,${Buffer.from(shell.js).toString("base64")}`
  );
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    // scripts are compiled once and kept; the page itself is new each time
    const keep = { "cache-control": pathname === "/" ? "no-store" : "max-age=3600" };
    const send = (type, text) => response.writeHead(200, { "content-type": type, ...keep }).end(text);
    if (pathname === "/main.js") return send("text/javascript", view.js);
    if (pathname === "/plots.js") return send("text/javascript", plots.js);
    if (pathname === "/main.css") return send("text/css", view.css);
    if (pathname === "/harness.js") return send("text/javascript", harness.js);
    if (pathname === "/favicon.ico") return response.writeHead(204).end();
    if (pathname !== "/") return response.writeHead(404).end();
    const origin = `http://127.0.0.1:${server.address().port}`;
    const nonce = "bm9uY2U";
    const html = shellHtml({
      nonce,
      cspSource: origin,
      scriptUri: "/main.js",
      styleUri: "/main.css",
      title: "Backsweep",
    });
    const harnessTag = `<script nonce="${nonce}" src="/harness.js"></script>`;
    send("text/html; charset=utf-8", html.replace(/<script /, `${harnessTag}\n<script `));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    bytes: { js: view.js.length, plots: plots.js.length, css: view.css.length },
    stop: () => server.close(),
  };
}
