export { forward, reverse } from "./sweeps";
export { cos, own, sin } from "./trig";
