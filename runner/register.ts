/**
 * `node --import backsweep/register my.graph.ts`: graph files in plain Node, loaded through the same compiler as in the
 * editor. Modules outside `node_modules` are rewritten; what they import from "backsweep" is this package.
 */
import { register } from "node:module";

// places and lines of errors as they were written, not as they were rewritten
process.setSourceMapsEnabled(true);
register(new URL("./register-hooks.js", import.meta.url));
