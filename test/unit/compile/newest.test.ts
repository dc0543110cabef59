/**
 * Operators that hand on the newest node: whatever stands around them, a program computes, records and throws what it does
 * with an object for every result, and without Backsweep.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { run, subjectOf } from "../../../engine/graph/complete.js";
import type { GraphDefinition } from "../../../engine/graph/definition.js";
import { recordLeased } from "../../../engine/graph/leased.js";
import { bareRecorder, record, type Subject } from "../../../engine/graph/record.js";
import { graph, valueAndGradient } from "../../../engine/index.js";
import { activeRecorder } from "../../../engine/ops/active.js";
import { primitives } from "../../../engine/ops/table.js";
import { FAST_CAPACITY, type Recording } from "../../../engine/recording/create.js";
import type { Tape } from "../../../engine/tape/tape.js";
import { load, toJavaScript } from "./harness.js";

/**
 * What expressions are made of. Some run code of the program's own: an accessor and a method that record, objects that turn
 * into numbers (plain, traced, or after they have changed a variable and gone through the same place again), one that throws.
 */
const numbers = "x y z x y z w n m 2 0.5 0 a[0] a[i]".split(" ");
const running = "k.got f(x) f(n) o p again".split(" ");
const strange = "3n 'q' null boom".split(" ");

const leaf = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom(...numbers) },
  { weight: 10, arbitrary: fc.constantFrom(...running) },
  { weight: 1, arbitrary: fc.constantFrom(...strange) },
);

/** Mostly the operators that have such forms. */
function expressionOf(depth: number): fc.Arbitrary<string> {
  if (depth === 0) return leaf;
  const below = expressionOf(depth - 1);
  const two = (...operators: readonly string[]): fc.Arbitrary<string> =>
    fc.tuple(below, fc.constantFrom(...operators), below).map(([l, op, r]) => `(${l} ${op} ${r})`);
  return fc.oneof(
    { weight: 6, arbitrary: leaf },
    { weight: 16, arbitrary: two("+", "-", "*", "*", "/") },
    { weight: 1, arbitrary: two("%") },
    { weight: 1, arbitrary: below.map((e) => `((${e}) ** 2)`) },
    { weight: 2, arbitrary: below.map((e) => `-(${e})`) },
    { weight: 1, arbitrary: below.map((e) => `Math.sin(${e})`) },
    { weight: 1, arbitrary: below.map((e) => `(w = ${e})`) },
  );
}
const expression = expressionOf(4);

const statement = fc.oneof(
  expression.map((e) => `s = ${e};`),
  fc
    .tuple(fc.constantFrom("s", "w", "a[i]", "k.kept"), fc.constantFrom("+=", "-=", "*=", "/="), expression)
    .map(([target, op, e]) => `${target} ${op} ${e};`),
  expression.map((e) => `const c${"$"} = ${e}; kept.push(c${"$"}); s = s + c${"$"} * c${"$"};`),
);

/** A function of three numbers and a log, with `again` going through its own body once more. */
function programText(statements: readonly string[], at: number): string {
  const body = statements.map((text, i) => text.replaceAll("c$", `c${i}`)).join("\n    ");
  return `(x: any, y: any, z: any, log: any[], depth = 0): any => {
    let s: any = x, w: any = y, n = 1.5, m = -2, i = 1;
    const kept: any[] = [];
    const a: any[] = [x, y * 3];
    const f = (t: any): any => { log.push("f"); return t * t + y * t; };
    const k: any = { kept: 1, get got() { log.push("got"); return x * y + 1; } };
    const o: any = { valueOf() { log.push("o"); w = 7; return 3; } };
    const p: any = { valueOf() { log.push("p"); n = n + 1; return x * 2 + y; } };
    const self: any = programs[${at}];
    const again: any = { valueOf() { log.push("again"); return depth < 1 ? self(y, x, z, log, depth + 1) : 1; } };
    const boom: any = { valueOf() { throw new Error("boom"); } };
    ${body}
    return s + w * n + kept.length;
  }`;
}

function rows(tape: Tape): unknown[] {
  const of = (x: number): unknown => (x >= 0 ? `node ${x}` : tape.constants.at(~x));
  return Array.from({ length: tape.length }, (_, id) => {
    const op = tape.opAt(id);
    const { a, b } = tape.segments[0];
    const operands = [a[id], b[id]].slice(0, primitives[op]?.arity ?? 0).map(of);
    return [op, operands, tape.valueAt(id), tape.siteAt(id)];
  });
}

type Program = (x: number, y: number, z: number, log: unknown[]) => unknown;

/** What came of it: an answer, or the error in words. */
function outcome(ask: (log: unknown[]) => unknown): unknown {
  const log: unknown[] = [];
  try {
    return [ask(log), log];
  } catch (error) {
    const { name, message } = error as Error;
    return [name, message.split("\n")[0], log];
  }
}

const at = { x: 0.75, y: -1.25, z: 2 };

function graphOf(program: Program, log: unknown[]): GraphDefinition {
  const definition = graph(at, ({ x, y, z }) => program(x, y, z, log) as number);
  return definition as unknown as GraphDefinition;
}

describe("results that only the operator around them reads", () => {
  it("leave answers, tapes, gradients and errors as they are", { timeout: 120_000 }, async () => {
    const programs = fc.array(fc.array(statement, { minLength: 1, maxLength: 4 }), {
      minLength: 12,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(programs, async (bodies) => {
        const text = `const programs: any[] = [\n${bodies.map(programText).join(",\n")}\n];\nexport { programs };`;
        const [rewritten, plain] = await Promise.all(
          (["rewritten", "stripped"] as const).map(async (mode) => {
            const { namespace } = await load({ "main.ts": text }, mode);
            return namespace.programs as Program[];
          }),
        );
        for (const [i, program] of rewritten.entries()) {
          // nothing recorded
          const numbers = (p: Program): unknown => outcome((log) => p(at.x, at.y, at.z, log));
          expect(numbers(program)).toEqual(numbers(plain[i]));
          // recorded on the tape, and in lean memory
          const general = outcome((log) =>
            rows(record(subjectOf(graphOf(program, log), undefined), {}, bareRecorder).recorder.tape),
          );
          const lean = outcome((log) => {
            const leased = recordLeased(subjectOf(graphOf(program, log), undefined), false);
            try {
              return rows(leased.recorded.recorder.tape);
            } finally {
              leased.done();
            }
          });
          expect(lean).toEqual(general);
          // swept
          const traced = outcome((log) => {
            const { trace, report } = run(graphOf(program, log), { order: "tape" });
            return { value: trace.header.outputs[0].value, gradient: report.gradient };
          });
          const swept = outcome((log) => valueAndGradient(graphOf(program, log)));
          expect(swept).toEqual(traced);
        }
      }),
      { numRuns: 9 },
    );
  });
});

describe("lean memory that is full in the middle of an expression", async () => {
  const text = `export const program = (x, y, z) => {
    let s = x;
    for (let i = 0; i < 90; i++) {
      s = s * 0.5 + x * y - (y - s / 3) * z;
      s -= x * s;
      s = -(s + y) / 4 - (s * z - 2);
      s = x - -s / (2 * z - y * 0.5) + s;
    }
    return s;
  };`;
  const { namespace } = await load({ "main.js": text }, "rewritten");
  const program = namespace.program as Program;
  const of = (p: Program): Subject => subjectOf(graphOf(p, []), undefined);
  const general = (): unknown => rows(record(of(program), {}, bareRecorder).recorder.tape);
  /** Fast memory that is full with so many nodes and constants, and may then grow to hold so many. */
  const confined =
    (first: number, most: number): Program =>
    (...given) => {
      const recorder = activeRecorder()!;
      recorder.leanMost = most;
      (recorder.lean as Recording).confine(first);
      return program(...given);
    };

  it("moves to the tape and changes nothing, wherever it ends", () => {
    const expected = general();
    for (let k = 0; k < 32; k++) {
      const leased = recordLeased(of(confined(1_000 + k, 0)), false);
      expect(leased.recorded.recorder.lean).toBeNull();
      expect(rows(leased.recorded.recorder.tape)).toEqual(expected);
      leased.done();
    }
  });

  it("grows and changes nothing, wherever it ends", () => {
    const expected = general();
    const { gradient } = valueAndGradient(graphOf(program, []));
    for (let k = 0; k < 32; k++) {
      const leased = recordLeased(of(confined(1_000 + k, 2 * FAST_CAPACITY)), false);
      const { recorder, outputs } = leased.recorded;
      expect(recorder.lean).not.toBeNull();
      const slopes = leased.swept((t) => [...t.gradient(outputs[0].node)]);
      expect(slopes).toEqual(Object.values(gradient as object));
      expect(rows(recorder.tape)).toEqual(expected);
      leased.done();
    }
  });
});

describe("the text", () => {
  const emitted = (expression: string): string => {
    const text = `export const f = (a, b, c, o) => { let s = a; ${expression}; return s; };`;
    const { code } = toJavaScript(text, "/tmp/x.js", "js", "rewritten");
    return [...code.matchAll(/\$b\.((?:add|sub|mul|div|neg)\w*)\(/g)].map(([, name]) => name).join(" ");
  };
  for (const [expression, calls] of [
    ["s = a + b / c", "divN addR"],
    ["s = a / b + c", "divN addL"],
    ["s = a / b + 2", "divN addL"],
    ["s = a + (b - (a / c))", "divN subRN addR"],
    ["s = -(a + b)", "addN negR"],
    ["s = a - -b", "negN subR"],
    ["s -= a / b", "divN subR"],
    // a product in a sum is left to it
    ["s = a + b * c", "addMul"],
    ["s = a * b - c", "mulSub"],
    ["s = a / (b - a * c)", "subMulN divR"],
    ["s += a * b", "addMul"],
    ["o.p -= 2 * (a)", "subMul"],
    ["s = a * (b * c)", "mulN mulR"],
    ["s = a + b * (c / 2)", "divN mulRN addR"],
    // what stands on the right may record, or get here again
    ["s = a * b + o.p", "mul add"],
    ["s = a * b + o[0]", "mul add"],
    ["s = a / b + undeclared", "div add"],
    ["s = a * b + c * a", "mul addMul"],
    ["s = a * b + (s = c)", "mul add"],
    ["s = a / b + f(c)", "div add"],
    ["s = (a + b) ** 2", "add"],
    ["s = (a, a + b) * c", "add mul"],
    ["s = (a ? a + b : c) * c", "add mul"],
    ["s = 'k' + a * b", "add mul"],
  ] as const) {
    it(`${expression}: ${calls}`, () => expect(emitted(expression)).toBe(calls));
  }
});
