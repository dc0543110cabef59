/**
 * `jvp(f, { at, direction })`, `hvp(f, { at, direction })` and `vjp(f, { at, cotangent })`: the same question as by position,
 * with names, for point and direction have one shape and nothing can tell them apart. JAX takes them the other way round.
 */
import { call } from "../tape/callsite.js";
import { BacksweepError } from "../trace/failure.js";
import { isRecord, noMore, onlyOptions } from "./arguments.js";
import { isGraph } from "./definition.js";
import type { Differentiable } from "./point.js";

/** What a product is taken along. */
type Along = "direction" | "cotangent";

/**
 * The product's direction or cotangent, and its point, in either form. No direction or cotangent of a graph holds a record and
 * a function is never without a point, so that the forms cannot be taken for one another.
 *
 * @throws BacksweepError `definition` for a name that is neither, an argument too many, or a function without a point
 */
export function namedForm(
  query: string,
  along: Along,
  what: Differentiable,
  second: unknown,
  at: unknown,
  surplus: readonly unknown[],
): readonly [along: unknown, at: unknown] {
  if (surplus.length > 0) noMore(`${query}(f, ${along}, at)`, surplus);
  if (at !== undefined) return [second, at];
  const graph = isGraph(what);
  if (isRecord(second) && (graph ? isRecord(second[along]) || isRecord(second.at) : "at" in second)) {
    const usage = `${query}(f, { at, ${along} })`;
    onlyOptions(usage, ["at", along], second, usage);
    if (second[along] === undefined)
      throw new BacksweepError("definition", `${usage}: there is no ${along}`, call.site);
    if (second.at !== undefined || graph) return [second[along], second.at];
  }
  if (!graph && typeof what === "function")
    throw new BacksweepError(
      "definition",
      `${query}: a function needs a point: ${query}(f, ${along}, at), or by name ${query}(f, { at, ${along} })`,
      call.site,
    );
  return [second, at];
}
