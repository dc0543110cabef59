/** Entry of the command line. */
import { parseCommandLine } from "./args.js";
import { isClosedPipe, OutputError, writeAll } from "./output.js";
import { commands } from "./commands.js";
import { commandHelp, helpText } from "./usage.js";
import { UsageError } from "./usage-error.js";
import { VERSION } from "../engine/graph/version.js";

async function main(args: readonly string[]): Promise<number> {
  const command = parseCommandLine(args);
  switch (command.command) {
    case "help":
      await writeAll(process.stdout, [command.of === null ? helpText(commands) : commandHelp(command.of)]);
      return 0;
    case "version":
      await writeAll(process.stdout, [`${VERSION}\n`]);
      return 0;
    case "run": {
      const { runCommand } = await import("./run.js");
      return runCommand(command);
    }
    case "compare": {
      const { compareCommand } = await import("./compare-command.js");
      return compareCommand(command);
    }
    case "plan": {
      const { planCommand } = await import("./plan-command.js");
      return planCommand(command);
    }
    case "lint": {
      const { lintCommand } = await import("./lint-command.js");
      return lintCommand(command);
    }
    case "audit": {
      const { auditCommand } = await import("./audit-command.js");
      return auditCommand(command);
    }
    case "analysis": {
      const { analyseCommand } = await import("./analyse.js");
      return analyseCommand(command);
    }
  }
}

// a reader that went away (| head) is no error of ours; a full disk is told by writeAll
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error) => {
    if (!isClosedPipe(error)) process.exitCode = 2;
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError || error instanceof OutputError)
    process.stderr.write(`backsweep: ${error.message}\n`);
  else
    process.stderr.write(
      `backsweep: internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
  process.exitCode = 2;
}
