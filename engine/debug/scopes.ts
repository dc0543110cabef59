/** The scopes of a frame: primals, cotangents, contributions into the current node, checkpoints, the gradient so far. */
import { isArray, primal, same, seed, type Quantity } from "../report/quantity.js";
import { factor, full, plural, short } from "../report/text/format.js";
import type { InputInfo } from "../trace/trace.js";
import { nodeTitle } from "../trace/read.js";
import { checkpointVariables } from "./checkpoint-scope.js";
import { contributionRows, type ContributionRow } from "./contributions.js";
import { countUpTo, type Debuggee } from "./debuggee.js";
import {
  elementsOf,
  expressionName,
  listOf,
  named,
  typeText,
  variableName,
  type Children,
  type Variable,
} from "./variables.js";

export interface Scope {
  readonly id: "contributions" | "primals" | "cotangents" | "gradient" | "checkpoints" | "what-if";
  readonly name: string;
  readonly expensive: boolean;
  readonly children: Children;
}

/**
 * The scopes at a position.
 *
 * @param focus the current node, whose contributions are listed
 * @param home the function instance of the frame, whose values are listed
 */
export function scopesOf(debuggee: Debuggee, position: number, focus: number, home: number): Scope[] {
  const { timeline, trace } = debuggee;
  const reverse = position >= timeline.forwardSteps && trace.header.complete;
  const contributions: Scope[] =
    reverse && focus >= 0
      ? [
          {
            id: "contributions",
            name: `Contributions into ${nodeTitle(trace, focus)}`,
            expensive: false,
            children: contributionsInto(debuggee, focus, position),
          },
        ]
      : [];
  const primals: Scope = {
    id: "primals",
    name: "Primal values",
    expensive: false,
    children: primalsOf(debuggee, position, home),
  };
  const rest: Scope[] = reverse
    ? [
        {
          id: "cotangents",
          name: "Cotangents",
          expensive: false,
          children: cotangentsOf(debuggee, position, home),
        },
        {
          id: "gradient",
          name: "Inputs' gradient so far",
          expensive: false,
          children: gradientOf(debuggee, position),
        },
      ]
    : [];
  return [
    ...contributions,
    ...(reverse ? [] : [primals]),
    ...rest,
    ...(reverse ? [primals] : []),
    {
      id: "checkpoints",
      name: "Checkpoints",
      expensive: false,
      children: checkpointVariables(debuggee, position),
    },
  ];
}

/** One row a contribution that has arrived, then the running sum and who still owes. */
function contributionsInto(debuggee: Debuggee, node: number, position: number): Children {
  const { timeline, trace, running } = debuggee;
  const arrived = timeline.arrived(node, position);
  const slots = timeline.slots(node);
  const sum = running.at(node, position);
  const seeded = seed(timeline, node, position);
  const before: Variable[] =
    seeded === undefined ? [] : [{ name: "seed", value: full(seeded), changes: { kind: "seed", node } }];
  const given = debuggee.given.has(node) && timeline.isFinal(node, position) ? ", given" : "";
  const after: Variable[] = [
    {
      name: "running sum",
      value:
        sum === undefined
          ? "none yet"
          : `${full(sum)}${given}, ${arrived} of ${plural(slots, "contribution")}`,
      type: typeText(sum),
      evaluateName: `bar(${expressionName(trace, node)})`,
      watch: { node },
      ...changeable(debuggee, node, position, sum),
    },
  ];
  const owing = waiting(debuggee, node, position);
  if (owing !== null) after.push({ name: "waiting for", value: owing });
  const total = before.length + arrived + after.length;
  return {
    count: total,
    indexed: total > 100,
    at: (start, count) => {
      const rows: Variable[] = [];
      const end = Math.min(total, start + count);
      rows.push(...before.slice(start, end));
      const first = Math.max(0, start - before.length);
      const last = Math.min(arrived, end - before.length);
      if (last > first)
        rows.push(
          ...contributionRows(debuggee, node, position, first, last - first).map((row) =>
            contributionVariable(debuggee, row),
          ),
        );
      rows.push(
        ...after.slice(
          Math.max(0, start - before.length - arrived),
          Math.max(0, end - before.length - arrived),
        ),
      );
      return rows;
    },
  };
}

function contributionVariable({ trace }: Debuggee, row: ContributionRow): Variable {
  const { value, from, local, running, share } = row;
  const parts: Variable[] = [
    { name: "contribution", value: full(value), type: typeText(value), ...children(elementsOf(value)) },
    {
      name: `bar(${nodeTitle(trace, row.child)})`,
      value: full(from),
      type: typeText(from),
      ...children(elementsOf(from)),
    },
    {
      name: "local derivative",
      value: Number.isNaN(local) && isArray(value) ? "a linear map" : factor(local),
    },
    { name: "running sum", value: full(running), type: typeText(running) },
  ];
  if (Number.isFinite(share)) parts.push({ name: "share", value: `${short(100 * share)} %` });
  return { name: row.name, value: row.text, type: typeText(value), children: named(parts) };
}

/** Children that have not paid yet, at most five by name; null: none. */
function waiting({ timeline, trace }: Debuggee, node: number, position: number): string | null {
  const arrived = timeline.arrived(node, position);
  const rest = timeline.slots(node) - arrived;
  if (rest <= 0) return null;
  const titles: string[] = [];
  for (let i = arrived; i < arrived + Math.min(rest, 5); i++)
    titles.push(nodeTitle(trace, trace.edges.to[timeline.arrivalEdgeAt(node, i)]));
  return [...new Set(titles)].join(", ") + (rest > 5 ? ` and ${rest - 5} more` : "");
}

/** Values of the frame's function instance that are there by now. */
function primalsOf(debuggee: Debuggee, position: number, home: number): Children {
  const { timeline } = debuggee;
  const nodes = debuggee.nodesOf(home);
  // nodes are evaluated in the order of their ids
  let count = nodes.length;
  if (position < timeline.forwardSteps) {
    let low = 0;
    while (low < count) {
      const middle = (low + count) >>> 1;
      if (timeline.isEvaluated(nodes[middle], position)) low = middle + 1;
      else count = middle;
    }
  }
  return listOf(count, (i) => primalVariable(debuggee, nodes[i], position));
}

function primalVariable(debuggee: Debuggee, node: number, position: number): Variable {
  const { trace, truth } = debuggee;
  const value = primal(trace, node);
  const input = trace.header.inputs.find(({ first, count }) => node >= first && node < first + count);
  const changes = input === undefined ? {} : { changes: { kind: "input", node, element: null } as const };
  const elements = elementsOf(value, (element) =>
    input === undefined ? {} : { changes: { kind: "input", node, element } },
  );
  return {
    name: variableName(trace, node),
    value:
      full(value) +
      unlike(value, truth === null ? value : primal(truth.trace, node)) +
      kept(debuggee, node, position),
    type: typeText(value),
    evaluateName: expressionName(trace, node),
    watch: { node },
    ...(isArray(value) ? {} : changes),
    ...children(elements),
  };
}

/** Cotangents of the frame's function instance that something has reached, the latest first. */
function cotangentsOf(debuggee: Debuggee, position: number, home: number): Children {
  const { nodes, step } = debuggee.reachedOf(home);
  const count = countUpTo(step, position);
  return listOf(count, (i) => cotangentVariable(debuggee, nodes[count - 1 - i], position));
}

export function cotangentVariable(debuggee: Debuggee, node: number, position: number): Variable {
  const { timeline, trace, running } = debuggee;
  const bar = running.at(node, position);
  const final = timeline.isFinal(node, position);
  const trueBar = debuggee.truth === null ? bar : debuggee.truth.running.at(node, position);
  const progress = final ? "" : `, ${timeline.arrived(node, position)} of ${timeline.slots(node)} paid`;
  return {
    name: variableName(trace, node),
    value: bar === undefined ? "none yet" : full(bar) + unlike(bar, trueBar) + progress,
    type: typeText(bar),
    evaluateName: `bar(${expressionName(trace, node)})`,
    watch: { node },
    ...changeable(debuggee, node, position, bar),
  };
}

function gradientOf(debuggee: Debuggee, position: number): Children {
  const { inputs } = debuggee.trace.header;
  return listOf(inputs.length, (i) => gradientVariable(debuggee, inputs[i], position));
}

function gradientVariable(debuggee: Debuggee, input: InputInfo, position: number): Variable {
  const { first, count, shape, tensor, name } = input;
  if (tensor === true || shape.length === 0) {
    const variable = cotangentVariable(debuggee, first, position);
    const unreached = debuggee.timeline.slots(first) === 0 && !debuggee.outputs.has(first);
    return unreached
      ? { ...variable, name, value: "0: the output does not depend on it" }
      : { ...variable, name };
  }
  return {
    name,
    value: `${plural(count, "input")}`,
    type: `array [${shape.join("×")}]`,
    children: { ...listOf(count, (i) => cotangentVariable(debuggee, first + i, position)), indexed: true },
  };
}

/** A final cotangent can be given another value, an array's element by element. */
function changeable(
  { timeline }: Debuggee,
  node: number,
  position: number,
  bar: Quantity | undefined,
): Pick<Variable, "changes" | "children"> {
  if (!timeline.isFinal(node, position)) return children(elementsOf(bar));
  if (!isArray(bar)) return { changes: { kind: "cotangent", node, element: null } };
  return children(elementsOf(bar, (element) => ({ changes: { kind: "cotangent", node, element } })));
}

/** With `exactOptionalPropertyTypes` a property that is absent must not be there. */
function children(of: Children | undefined): { children?: Children } {
  return of === undefined ? {} : { children: of };
}

/** In a what-if: what the true sweep has here, where that is something else. */
function unlike(value: Quantity | undefined, truth: Quantity | undefined): string {
  return same(value, truth) ? "" : ` (true: ${truth === undefined ? "none" : full(truth)})`;
}

/** Under a schedule: whether the value is held, was let go, or came back by a replay. */
function kept({ trace, slots }: Debuggee, node: number, position: number): string {
  if (trace.events.a === undefined) return "";
  const state = slots.states.stateAt(node, position);
  const times = slots.states.replaysOf(node, position);
  if (state === "replayed") return times > 1 ? `, replayed ${times} times` : ", replayed";
  return state === "dropped" || state === "freed" ? `, ${state}` : "";
}
