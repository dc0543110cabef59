/** The module `backsweep/runtime`: all that rewritten code calls. */
export {
  at,
  c,
  enter,
  h,
  iter,
  leave,
  loop,
  module,
  root,
  type LoadedModule,
  type ModuleTable,
} from "./frames.js";
export { expose, member } from "./lowered.js";
export { element, name, view } from "./naming.js";
export { assigned, defined, drew, into, invoked, o, reflected, via, wrote } from "./observe.js";
export {
  add,
  dec,
  differs,
  div,
  eq,
  ge,
  gt,
  has,
  inc,
  instance,
  le,
  lt,
  mod,
  mul,
  ne,
  neg,
  num,
  pos,
  pow,
  same,
  sub,
} from "./operators.js";
export { arm, bits, discriminant, index, or, text, thrown, thrownAt, truth, typeOf } from "./values.js";
export { recording as r } from "../../ops/recorder.js";
export { monitor as w } from "./watch.js";
export { connectMonitor, reach, rethrow, StopRequest } from "./watch.js";
export { installConversion } from "./conversion.js";
export { installRealm } from "./realm/install.js";
