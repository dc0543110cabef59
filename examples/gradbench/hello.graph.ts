import { graph } from "backsweep";
import { square } from "./problems/hello.js";

// The derivative of x^2. One node in both operand slots: x is paid x twice.
export const hello = graph({ x: 8 }, ({ x }) => square(x));
