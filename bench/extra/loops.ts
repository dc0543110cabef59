/**
 * Ordinary code without a traced number in it, for what the loader's rewriting costs where nothing is recorded. Each
 * function does a good deal of work a call and answers a number that depends on all of it.
 */

export function mathCalls(): number {
  let sum = 0;
  for (let i = 1; i <= 2_000; i++) sum += Math.sin(i) * Math.sqrt(i) + Math.log(i);
  return sum;
}

const list = Array.from({ length: 2_000 }, (_, i) => (i * 7919) % 1_000);

export function arrayMethods(): number {
  return list
    .map((x) => x * 2)
    .filter((x) => x % 3 !== 0)
    .reduce((sum, x) => sum + x, 0);
}

const left = Array.from({ length: 24 }, (_, i) => Array.from({ length: 24 }, (_, j) => i + j));
const right = Array.from({ length: 24 }, (_, i) => Array.from({ length: 24 }, (_, j) => i - j));

export function matrixProduct(): number {
  let trace = 0;
  for (let i = 0; i < left.length; i++) {
    for (let j = 0; j < right.length; j++) {
      let sum = 0;
      for (let k = 0; k < right.length; k++) sum += left[i][k] * right[k][j];
      if (i === j) trace += sum;
    }
  }
  return trace;
}

const composite = new Uint8Array(5_000);

export function sieve(): number {
  composite.fill(0);
  let primes = 0;
  for (let i = 2; i < composite.length; i++) {
    if (composite[i] === 1) continue;
    primes++;
    for (let j = i * i; j < composite.length; j += i) composite[j] = 1;
  }
  return primes;
}

const one = Float64Array.from({ length: 4_000 }, (_, i) => i / 10);
const other = Float64Array.from({ length: 4_000 }, (_, i) => 1 - i / 7);

export function dotProduct(): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += one[i] * other[i];
  return sum;
}

function clamp(x: number, low: number, high: number): number {
  return x < low ? low : x > high ? high : x;
}

export function smallFunction(): number {
  let sum = 0;
  for (let i = 0; i < 4_000; i++) sum += clamp(i % 97, 10, 80);
  return sum;
}

function fib(n: number): number {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

export function fibonacci(): number {
  return fib(17);
}

export function rosenbrockSum(): number {
  let sum = 0;
  for (let i = 0; i + 1 < one.length; i++) {
    const a = 1 - one[i];
    const b = one[i + 1] - one[i] * one[i];
    sum += a * a + 100 * b * b;
  }
  return sum;
}

class Vector {
  constructor(
    readonly x: number,
    readonly y: number,
  ) {}

  plus(other: Vector): Vector {
    return new Vector(this.x + other.x, this.y + other.y);
  }
}

export function vectors(): number {
  const step = new Vector(1, 2);
  let at = new Vector(0, 0);
  for (let i = 0; i < 2_000; i++) at = at.plus(step);
  return at.x + at.y;
}

export function countUp(): number {
  let i = 0;
  while (i < 10_000) i++;
  return i;
}
