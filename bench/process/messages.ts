/** What the benchmark and an engine's process say to each other. */
import type { Outcome } from "../problems/problem.js";

export type Request =
  | { readonly kind: "warm"; readonly budget: number; readonly limit: number }
  | { readonly kind: "round"; readonly budget: number };

export type Reply =
  /** the work is ready; this is what its first call gave, and the milliseconds it took from data to numbers */
  | {
      readonly kind: "ready";
      readonly outcome: Outcome;
      /** null for an engine whose first call includes a compiler's run */
      readonly ms: number | null;
      readonly tolerance: number;
      /** how much the process's peak memory grew by it, in KiB */
      readonly peakKb: number;
    }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "time"; readonly ms: number };
