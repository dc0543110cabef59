/** The debugger inside VS Code: sessions by command and by configuration, moves by VS Code's own commands. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { test, until } from "./harness.js";
import { EXAMPLE, api, graphText, insert, run, uriOf, withFile } from "./workspace.js";

interface Stopped {
  readonly reason: string;
  readonly threadId: number;
  readonly description: string;
}

/** Follows what the adapter of the next session sends, while `body` runs; ends the session. */
async function debugging(
  configuration: Partial<vscode.DebugConfiguration>,
  body: (session: vscode.DebugSession, stops: readonly Stopped[], output: readonly string[]) => Promise<void>,
): Promise<void> {
  await api();
  const stops: Stopped[] = [];
  const output: string[] = [];
  const tracker = vscode.debug.registerDebugAdapterTrackerFactory("backsweep", {
    createDebugAdapterTracker: () => ({
      onDidSendMessage: (message: { type: string; event?: string; body?: unknown }) => {
        if (message.event === "stopped") stops.push(message.body as Stopped);
        if (message.event === "output") output.push((message.body as { output: string }).output);
      },
    }),
  });
  try {
    const started = await vscode.debug.startDebugging(undefined, {
      type: "backsweep",
      request: "launch",
      name: "Debug sweep",
      program: uriOf(EXAMPLE).fsPath,
      ...configuration,
    });
    assert.ok(started, "the session starts");
    const session = await until("an active session", () => vscode.debug.activeDebugSession);
    await until("the first stop", () => stops.length > 0);
    await settled();
    await body(session, stops, output);
  } finally {
    await vscode.debug.stopDebugging();
    await until("the session to end", () => vscode.debug.activeDebugSession === undefined);
    tracker.dispose();
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
  }
}

/** VS Code has seen the stop: until it shows a frame its commands move nothing. */
async function settled(): Promise<void> {
  await until("a frame in focus", () => vscode.debug.activeStackItem instanceof vscode.DebugStackFrame);
}

async function stopAfter(stops: readonly Stopped[], move: () => Thenable<unknown>): Promise<Stopped> {
  const before = stops.length;
  await move();
  await until("the next stop", () => stops.length > before);
  await settled();
  return stops[stops.length - 1];
}

interface Row {
  readonly name: string;
  readonly value: string;
  readonly variablesReference: number;
}

/** Name and value of the rows of a scope, as the Variables view asks for them. */
async function rows(
  session: vscode.DebugSession,
  threadId: number,
  scope: string,
): Promise<[string, string][]> {
  const { stackFrames } = (await session.customRequest("stackTrace", { threadId })) as {
    stackFrames: { id: number }[];
  };
  const { scopes } = (await session.customRequest("scopes", { frameId: stackFrames[0].id })) as {
    scopes: Row[];
  };
  const found = scopes.find(({ name }) => name === scope);
  assert.ok(found, `the scope ${scope}`);
  const { variables } = (await session.customRequest("variables", {
    variablesReference: found.variablesReference,
  })) as { variables: Row[] };
  return variables.map(({ name, value }) => [name, value]);
}

async function panelStep(): Promise<number | undefined> {
  return (await api()).panelState()?.position?.step;
}

test("debugger: continue comes to the breakpoint on a in the sweep, step back takes a contribution back", async () => {
  const line = new vscode.Location(uriOf(EXAMPLE), new vscode.Position(3, 0));
  vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(line)]);
  await debugging({}, async (session, stops) => {
    assert.equal(stops[0].description, "a = x * y evaluates to 6");
    const stop = await stopAfter(stops, () =>
      vscode.commands.executeCommand("workbench.action.debug.continue"),
    );
    assert.deepEqual([stop.reason, stop.threadId], ["breakpoint", 2]);
    assert.match(stop.description, /^a is final: 18 \+ 24 = 42/);
    assert.deepEqual(await rows(session, 2, "Contributions into a"), [
      ["from b", "18 = 18 × 1"],
      ["from c", "24 = 8 × 3, running sum 42"],
      ["running sum", "42, 2 of 2 contributions"],
    ]);
    await until("the panel at step 9", async () => (await panelStep()) === 9);
    const back = await stopAfter(stops, () =>
      vscode.commands.executeCommand("workbench.action.debug.stepBack"),
    );
    assert.match(back.description, /^a has 18, 1 of 2 paid/);
    assert.deepEqual((await rows(session, 2, "Contributions into a")).slice(0, 2), [
      ["from b", "18 = 18 × 1"],
      ["running sum", "18, 1 of 2 contributions"],
    ]);
    await until("the panel at step 8", async () => (await panelStep()) === 8);
    await stopAfter(stops, () => vscode.commands.executeCommand("backsweep.stepContribution"));
    await until("the panel at step 9 again", async () => (await panelStep()) === 9);
  });
});

test("debugger: the panel is told where breakpoints stop, with and without a session", async () => {
  const { panelState } = await api();
  const marks = (): string => JSON.stringify(panelState()?.breakpoints);
  await run(uriOf(EXAMPLE), "fanOut");
  await until("no marks", () => marks() === "[]");
  const line = new vscode.Location(uriOf(EXAMPLE), new vscode.Position(3, 0));
  vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(line)]);
  // before a is evaluated, and where it is final
  await until("the marks of line 4", () => marks() === "[0,9]");
  vscode.debug.addBreakpoints([new vscode.FunctionBreakpoint("add", true, "bar(b) > 1")]);
  await until("b where its cotangent is there", () => marks() === "[0,5,9]");
  await debugging({ stopOnEntry: "sweep" }, async () => {
    await until("the session's marks", () => marks() === "[0,5,9]");
  });
  await until("no breakpoint, no mark", () => marks() === "[]");
});

test("debugger: a what-if ends with its session, and the true sweep is back", async () => {
  const { lastResult } = await api();
  const gradient = (): string => {
    const result = lastResult();
    return JSON.stringify(result?.ok === true ? result.report.gradient : null);
  };
  await debugging({ stopOnEntry: "sweep" }, async (session) => {
    await session.customRequest("evaluate", { expression: "x = 3", context: "repl" });
    await until("the gradient at x = 3", () => gradient() === '{"x":216,"y":297}');
  });
  await until("the gradient of the graph itself", () => gradient() === '{"x":144,"y":132}');
});

test("debugger: the command debugs the active editor's graph, and a text changed meanwhile is said", async () => {
  await withFile("debugged.graph.ts", graphText("  return x * y;"), async (uri) => {
    const program = uri.fsPath;
    await vscode.window.showTextDocument(uri);
    await debugging({ program, stopOnEntry: "sweep" }, async (_, stops, output) => {
      assert.match(stops[0].description, /The sweep starts with bar\(L\) = 1/);
      await insert(uri, "x * y", "2 * ");
      await until("the remark", () => output.some((text) => text.includes("has changed")));
    });
  });
});

test("debugger: a run that fails ends the launch with its place", async () => {
  await withFile("throws.graph.ts", graphText('  throw new Error("no");'), async (uri) => {
    await api();
    const started = vscode.debug.startDebugging(undefined, {
      type: "backsweep",
      request: "launch",
      name: "Debug sweep",
      program: uri.fsPath,
    });
    // VS Code shows the message in a dialog, which a test run refuses to show and says so
    const said = await started.then(
      () => "",
      (error: unknown) => String(error),
    );
    assert.match(said, /throws\.graph\.ts:\d+:\d+: Error: no/);
    await until("no session", () => vscode.debug.activeDebugSession === undefined);
  });
});

test("debugger: values beside the source are there during a session only", async () => {
  const uri = uriOf(EXAMPLE);
  await vscode.window.showTextDocument(uri);
  await debugging({ stopOnEntry: "sweep" }, async (session) => {
    const { values } = (await session.customRequest("inlineValues", {
      path: uri.fsPath,
      line: 1,
      endLine: 8,
    })) as { values: { line: number; text: string }[] };
    assert.deepEqual(
      values.map(({ line, text }) => `${line}: ${text}`),
      ["4: a = 6", "5: b = 8", "6: c = 18", "7: L = 144, bar 1"],
    );
  });
});

test("debugger: no debugger of ours is offered for every TypeScript file", async () => {
  await api();
  const { contributes } = vscode.extensions.getExtension("backsweep.backsweep")!.packageJSON as {
    contributes: { debuggers: { languages?: unknown }[]; breakpoints: { language: string }[] };
  };
  assert.equal(contributes.debuggers[0].languages, undefined);
  assert.deepEqual(
    contributes.breakpoints.map(({ language }) => language),
    ["typescript", "javascript"],
  );
});
