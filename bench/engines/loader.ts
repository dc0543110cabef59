/** Backsweep on plain arithmetic: the program in `programs/` as the loader rewrites it, asked for by `valueAndGradient`. */
import { installRealm } from "../../engine/compile/runtime/index.js";
import type { Problem } from "../problems/problem.js";
import { importRewritten } from "../rewritten.js";
import type { Engine } from "./engine.js";
import { askGraph, graphOf } from "./graph.js";

interface Program {
  value(problem: Problem, p: readonly number[]): number;
}

export const loader: Engine = {
  id: "loader",
  title: "Backsweep, plain arithmetic",
  precision: "f64",
  tolerance: 1e-10,
  async prepare(problem) {
    const program = await importRewritten<Program>(`bench/programs/${problem.kind}.ts`);
    installRealm(globalThis);
    const definition = graphOf(problem, (p) => program.value(problem, p));
    return { run: () => askGraph(definition) };
  },
};
