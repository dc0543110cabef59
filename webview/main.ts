/** Entry of the webview: starts the view and lets no error pass unseen. */
import "./styles/main.css";
import { App } from "./app.js";
import { Host } from "./host.js";

const host = new Host();
let app: App | null = null;

function report(error: unknown): void {
  if (app !== null) return app.report(error);
  host.post({
    type: "error",
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  const face = document.getElementById("face");
  if (face !== null)
    face.textContent = `This view could not start: ${error instanceof Error ? error.message : String(error)}`;
}

window.addEventListener("error", (event) => {
  // the browser's note that an observer was called again in the next frame; nothing is wrong
  if (event.message.startsWith("ResizeObserver loop")) return;
  report(event.error ?? event.message);
});
window.addEventListener("unhandledrejection", (event) => report(event.reason));

try {
  app = new App(host);
} catch (error) {
  report(error);
}
