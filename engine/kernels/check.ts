/** Checks that every kernel makes before it touches memory: a wrong length would read a neighbour's numbers. */
import { BacksweepError } from "../trace/failure.js";

/** @throws BacksweepError of kind `internal` */
export function refuse(kernel: string, what: string): never {
  throw new BacksweepError("internal", `kernel ${kernel}: ${what}`);
}

/** An operand must have the length that the kernel's other arrays ask for. */
export function sameLength(kernel: string, length: number, expected: number): void {
  if (length !== expected) refuse(kernel, `an array of ${length} elements where ${expected} are needed`);
}

/** An array must reach as far as the kernel goes. */
export function reaches(kernel: string, length: number, needed: number): void {
  if (!(length >= needed)) refuse(kernel, `an array of ${length} elements where ${needed} are needed`);
}

/** A count or step must be a non-negative integer. */
export function count(kernel: string, ...values: number[]): void {
  for (const value of values) {
    if (!Number.isInteger(value) || value < 0) refuse(kernel, `${value} is not a count`);
  }
}
