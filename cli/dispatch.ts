/** From a command line to the command's own file, which alone is loaded. */
import { VERSION } from "../engine/graph/version.js";
import { parseCommandLine } from "./args.js";
import { commands } from "./commands.js";
import { OutputError, writeAll } from "./output.js";
import { UsageError } from "./usage-error.js";

async function perform(args: readonly string[]): Promise<number> {
  const command = parseCommandLine(args);
  switch (command.command) {
    case "help": {
      const { commandHelp, helpText } = await import("./usage.js");
      await writeAll(process.stdout, [command.of === null ? helpText(commands) : commandHelp(command.of)]);
      return 0;
    }
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

/** Does what a command line asks for; resolves to the exit code and never rejects. */
export async function dispatch(args: readonly string[]): Promise<number> {
  try {
    return await perform(args);
  } catch (error) {
    if (error instanceof UsageError || error instanceof OutputError)
      process.stderr.write(`backsweep: ${error.message}\n`);
    else
      process.stderr.write(
        `backsweep: internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      );
    return 2;
  }
}
