/** The names of schedules, their forms and what they are; `parse.ts` has what each name makes. */

export interface ScheduleKind {
  /** what stands before the colon */
  readonly word: string;
  /** as help prints it: "uniform:k" */
  readonly form: string;
  /** one line for a person */
  readonly about: string;
  /**
   * `bytes`: its argument is a budget, and sizes and costs come from the graph where there is one; `graph`: it has no meaning
   * without one.
   */
  readonly needs?: "bytes" | "graph";
}

/** In the order in which they are listed. */
export const scheduleKinds = [
  { word: "store-all", form: "store-all", about: "every step is recorded once, nothing runs again" },
  { word: "none", form: "none", about: "only the input is kept; every step runs the chain anew" },
  {
    word: "uniform",
    form: "uniform:k",
    about: "blocks of k steps: states at the boundaries and of the open block",
  },
  {
    word: "uniform-keep-last",
    form: "uniform-keep-last:k",
    about: "uniform:k that keeps the states of the last block in the first sweep",
  },
  {
    word: "uniform-tapes",
    form: "uniform-tapes:k",
    about: "blocks of k steps, each recorded whole while it is replayed",
  },
  { word: "sqrt", form: "sqrt", about: "uniform:k with the k of the smallest model peak, about sqrt n" },
  { word: "bisection", form: "bisection", about: "recursive halving with log2 n slots" },
  {
    word: "revolve",
    form: "revolve:c",
    about: "binomial with c slots: the fewest forwards that states alone allow",
  },
  {
    word: "multistage",
    form: "multistage:ram,disk",
    about: "binomial over slots in RAM and on disk, the busiest in RAM",
  },
  {
    word: "mixed",
    form: "mixed:c",
    about: "c slots, each for a state or one step's tape; the fewest forwards",
  },
  {
    word: "hrevolve",
    form: "hrevolve:ram,disk[,uf,ub,wd,rd]",
    about: "two levels of storage at the least cost",
  },
  {
    word: "disk-revolve",
    form: "disk-revolve[:ram,uf,ub,wd,rd]",
    about: "two levels, as many disk slots as are useful, each read once",
  },
  { word: "online", form: "online:c", about: "c slots, the length unknown until its end is reached" },
  {
    word: "treeverse",
    form: "treeverse:d",
    about: "Griewank's first logarithmic schedule with d slots, for comparison",
  },
  {
    word: "reversible",
    form: "reversible[+S]",
    about: "coupling layers: states are computed back, nothing is stored; the rest is kept, or runs under S",
  },
  { word: "bennett", form: "bennett", about: "reversible pebbling by halving" },
  { word: "pebble", form: "pebble:p", about: "reversible pebbling with p pebbles, the fewest moves" },
  {
    word: "chain-budget",
    form: "chain-budget:bytes",
    about: "a chain whose steps differ, at the least cost within a budget",
    needs: "bytes",
  },
  {
    word: "budget",
    form: "budget:bytes",
    about: "any graph within a budget, by dropping and recomputing nodes",
    needs: "graph",
  },
  {
    word: "auto",
    form: "auto:bytes",
    about: "the fastest schedule that fits a budget, and why not the others",
    needs: "bytes",
  },
] as const satisfies readonly ScheduleKind[];

export type ScheduleWord = (typeof scheduleKinds)[number]["word"];

/** "store-all, none, uniform:k, ..." */
export const scheduleForms: string = scheduleKinds.map(({ form }) => form).join(", ");
