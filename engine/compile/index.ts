/** The loader's compiler: `compileModule` and what goes with it. The runtime the code calls is `runtime/index.ts`. */
export { compileModule, type CompileOptions } from "./compile.js";
export type { CompiledModule, ModuleImport, StaticSites } from "./compiled.js";
export { CompileError, type CompileErrorKind, type Place } from "./errors.js";
export { mapStack, type UserFrame } from "./stack.js";
export type { Language } from "./parse.js";
