/* global window, document, location, sessionStorage, URLSearchParams */
/** Stands in for VS Code in the page: theme, `acquireVsCodeApi`, and a host that sends what a test tells it to. */
import { replyTo } from "./schedule-samples.js";
import { themes } from "./themes.js";
import { views } from "./views.js";

const asked = new URLSearchParams(location.search);
const theme = themes[asked.get("theme") ?? "dark"];
// the same page loaded anew remembers; a page of another number begins with nothing
const fresh = asked.get("fresh") ?? "";
if (sessionStorage.getItem("fresh") !== fresh) {
  sessionStorage.clear();
  sessionStorage.setItem("fresh", fresh);
}
for (const [name, value] of Object.entries(theme.variables)) {
  document.documentElement.style.setProperty(`--vscode-${name}`, value);
}
document.body.className = theme.classes;

const posted = [];
const key = "state";
let turns = 0;

const harness = {
  posted,
  violations: [],
  /** false: questions stay without an answer */
  answering: true,
  graph: "",
  send(message) {
    // as VS Code does: a copy, in a later turn
    window.postMessage(message, "*");
  },
  /** Resolves when every message sent until now has been received: they arrive in the order they were sent in. */
  arrived() {
    return new Promise((done) => {
      const turn = ++turns;
      const heard = ({ data }) => {
        if (data?.turn !== turn) return;
        window.removeEventListener("message", heard);
        done();
      };
      window.addEventListener("message", heard);
      window.postMessage({ turn }, "*");
    });
  },
  /** `id`: of a run of its own, of the same graph */
  sweep(name, rest = {}, id = undefined) {
    const made = views[name]();
    const sweep = id === undefined ? made : { ...made, id };
    harness.graph = sweep.graph;
    harness.send({ type: "sweep", sweep, ...rest });
  },
};

document.addEventListener("securitypolicyviolation", (event) => {
  harness.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`);
});

Object.assign(window, {
  harness,
  acquireVsCodeApi: () => ({
    postMessage: (message) => {
      posted.push(message);
      if (message.type === "request" && message.call.kind !== "export" && harness.answering)
        harness.send(replyTo(message.request, message.call, harness.graph));
    },
    getState: () => JSON.parse(sessionStorage.getItem(key) ?? "null"),
    setState: (state) => sessionStorage.setItem(key, JSON.stringify(state)),
  }),
});
