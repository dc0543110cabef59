/**
 * What the engine is to reach, as ratios within one run. Goals against PyTorch 2.13 (one thread, CPU), which this benchmark
 * does not run, stand as the ratio to hand JavaScript that PyTorch had when the goals were set.
 */
import type { ItemResult } from "./rounds.js";

export interface Goal {
  readonly item: string;
  readonly engine: string;
  /** largest ratio to the fastest of `against` */
  readonly limit: number;
  readonly against: readonly string[];
  readonly text: string;
}

const hand = ["hand-js"];
const jax = ["jax-js-f32", "jax-js-f64"];
const peers = [...jax, "tfjs-cpu", "tfjs-wasm", "adnn", "object-graph"];

const g = (item: string, engine: string, limit: number, against: readonly string[], text: string): Goal => ({
  item,
  engine,
  limit,
  against,
  text,
});

/** Times hand-written JavaScript, by work item. */
const handles: Readonly<Record<string, number>> = {
  "rosenbrock-10000": 42,
  "gmm-d10-k25-n1000": 3,
  "gmm-d2-k5-n1000": 3.4,
  "lstm-l2-c128-b14": 3.6,
  "chain-3000": 1.9,
  "chain-300000": 1.4,
};

export const goals: readonly Goal[] = [
  ...Object.entries(handles).map(([item, limit]) =>
    g(item, "handles", limit, hand, `handles at most ${limit} x hand JS`),
  ),
  g("rosenbrock-10000", "array", 1, jax, "arrays not behind jax-js"),
  g("rosenbrock-10000", "array", 6.2, hand, "arrays ahead of PyTorch (6.2 x hand JS)"),
  g("mlp-64-64-10-b32", "array", 0.33, hand, "arrays at most 0.33 x hand JS: ahead of PyTorch"),
  g("mlp-64-64-10-b32", "array", 1, peers, "arrays ahead of every JavaScript peer"),
  g("gmm-d10-k25-n1000", "array", 1, hand, "arrays at most 1 x hand JS"),
  g("gmm-d2-k5-n1000", "array", 1.8, hand, "arrays ahead of PyTorch (1.8 x hand JS)"),
  g("chain-300000", "replay", 1.15, hand, "replay at most 1.15 x hand JS"),
  // "at most 3 x that" can be read as three times the handles' goals, and as three times what the handles reach: both
  ...Object.entries(handles).flatMap(([item, goal]) => {
    const limit = Number((3 * goal).toPrecision(3));
    return [
      g(item, "loader", limit, hand, `plain arithmetic at most ${limit} x hand JS (3 x the goal of handles)`),
      g(item, "loader", 3, ["handles"], "plain arithmetic at most 3 x handles"),
    ];
  }),
];

export interface GoalResult extends Goal {
  /** null when one of the engines gave no time */
  readonly reached: number | null;
}

export function judge(items: readonly ItemResult[]): GoalResult[] {
  return goals.flatMap((goal): GoalResult[] => {
    const item = items.find(({ id }) => id === goal.item);
    if (item === undefined) return [];
    const ratioOf = (id: string): number | null => item.engines.find((e) => e.id === id)?.ratio ?? null;
    const own = ratioOf(goal.engine);
    const others = goal.against.map(ratioOf).filter((ratio) => ratio !== null);
    const reached = own === null || others.length === 0 ? null : own / Math.min(...others);
    return [{ ...goal, reached }];
  });
}
