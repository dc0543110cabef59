/** The command line of the benchmark. */
export interface Options {
  /** small sizes, few rounds, no peers: a check that everything runs and agrees */
  readonly smoke: boolean;
  /** work items and measurements to run, by part of their id; empty for all */
  readonly only: readonly string[];
  /** engines to run, by part of their id; empty for all */
  readonly engines: readonly string[];
  readonly rounds: number;
  /** milliseconds an engine computes in each round, at least one call */
  readonly roundMs: number;
  /** longest that an engine is warmed up, in milliseconds */
  readonly warmMs: number;
  /** cold processes a first call is measured in */
  readonly cold: number;
  /** print one JSON document instead of tables */
  readonly json: boolean;
  /** write docs/performance.md */
  readonly write: boolean;
  /** never install anything */
  readonly offline: boolean;
}

export const usage = `npm run bench -- [options]

  --smoke            small sizes, few rounds, no peers: that everything runs and agrees
  --only=a,b         work items and measurements whose id contains a or b; the whole id of any size (chain-7)
  --engines=a,b      engines whose id contains a or b (hand JavaScript always runs)
  --rounds=n         rounds in which the engines take turns (15)
  --round-ms=n       milliseconds of each engine in each round (30)
  --warm-ms=n        longest that an engine is warmed up (4000)
  --cold=n           fresh processes for the first call (3)
  --json             one JSON document instead of tables
  --write            write docs/performance.md; full runs only
  --offline          do not install peers that are missing
  --list             ids of work items, measurements and engines`;

/** @throws Error for an option that does not exist or a number that is none */
export function parseOptions(args: readonly string[]): Options {
  const given = new Map<string, string>();
  const known = [
    "smoke",
    "only",
    "engines",
    "rounds",
    "round-ms",
    "warm-ms",
    "cold",
    "json",
    "write",
    "offline",
    "list",
    "help",
  ];
  for (let i = 0; i < args.length; i++) {
    const [, name, value] = /^--([a-z-]+)(?:=(.*))?$/s.exec(args[i]) ?? [];
    if (name === undefined || !known.includes(name)) throw new Error(`unknown option ${args[i]}\n\n${usage}`);
    const takesValue = ["only", "engines", "rounds", "round-ms", "warm-ms", "cold"].includes(name);
    given.set(name, value ?? (takesValue ? (args[++i] ?? "") : ""));
  }
  const smoke = given.has("smoke");
  const list = (name: string): string[] => (given.get(name) ?? "").split(",").filter((part) => part !== "");
  const number = (name: string, otherwise: number, least: number): number => {
    const text = given.get(name);
    if (text === undefined) return otherwise;
    const n = Number(text);
    if (!Number.isInteger(n) || n < least) throw new Error(`--${name} takes a whole number from ${least}`);
    return n;
  };
  const part = ["smoke", "only", "engines"].find((name) => given.has(name));
  if (given.has("write") && part !== undefined)
    throw new Error(
      `--write is for a full run, not with --${part}: the document has one date and one machine`,
    );
  return {
    smoke,
    only: list("only"),
    engines: list("engines"),
    rounds: number("rounds", smoke ? 3 : 15, 1),
    roundMs: number("round-ms", smoke ? 2 : 30, 1),
    warmMs: number("warm-ms", smoke ? 50 : 4_000, 0),
    cold: number("cold", smoke ? 0 : 3, 0),
    json: given.has("json"),
    write: given.has("write"),
    offline: smoke || given.has("offline"),
  };
}

/**
 * True if one of the parts is in the id, or if there are no parts.
 *
 * @param ids all ids; a part that is one of them means that one only
 */
export function wanted(id: string, parts: readonly string[], ids: readonly string[] = []): boolean {
  return parts.length === 0 || parts.some((part) => (ids.includes(part) ? id === part : id.includes(part)));
}
