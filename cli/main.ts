#!/usr/bin/env node
/** Entry of the command line. It loads little, so that the process in which the user's code runs is begun first of all. */
import { beginAhead, endAhead } from "./ahead.js";
import { isClosedPipe } from "./output.js";

const args = process.argv.slice(2);
beginAhead(args);

// a reader that went away (| head) is no error of ours; a full disk is told by writeAll
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error) => {
    if (!isClosedPipe(error)) process.exitCode = 2;
  });
}

try {
  const { dispatch } = await import("./dispatch.js");
  process.exitCode = await dispatch(args);
} finally {
  endAhead();
}
