/** Recursion over operands that pays as it goes: the running total goes on once a path, or before all uses have paid. */
import { adds, slotOf } from "../../adds.js";
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { callsNamed } from "../../lookups.js";
import { isBackward, isEntry } from "../../overwriting/entries.js";
import { judgedWrites } from "../../overwriting/judge.js";
import { multiplies } from "../../overwriting/parts.js";
import { isRunAgain } from "../../overwriting/run-again.js";
import { place } from "../../overwriting/words.js";
import type { Finding } from "../../report.js";
import { isOne } from "../../reverse.js";
import { argumentsOf, bare, calleeName, endOf, receiver, startOf, type Node } from "../../tree.js";
import { valuesOf } from "../../values.js";
import { contributionsIn, stepNames, type Contribution } from "../shared/contributions.js";
import { isOwnStep, isStepOf } from "../shared/drivers.js";
import { stepsOn } from "../shared/loops.js";
import { runsIn } from "../shared/nodes.js";
import { guardOf, recursionsOf, type Recursion } from "../shared/recursion.js";
import type { Write } from "../../writes.js";

export function* recursionsWithoutOrder(facts: FileFacts): Iterable<{ node: Node; finding: Finding }> {
  const byFunction = new Map<Fn, Recursion[]>();
  for (const recursion of recursionsOf(facts)) {
    const list = byFunction.get(recursion.fn);
    if (list === undefined) byFunction.set(recursion.fn, [recursion]);
    else list.push(recursion);
  }
  for (const [fn, recursions] of byFunction) {
    const faulty = recursions.filter((one) => paysAsItGoes(facts, one) !== null);
    if (faulty.length === 0) continue;
    const [first] = faulty;
    const guard = guardOf(facts, first.site, fn.node);
    if (guard === "counter") continue;
    const why = paysAsItGoes(facts, first)!;
    const name = fn.name === "" ? "this function" : `\`${fn.name}\``;
    const message =
      guard === "visited"
        ? `${name} goes on to the operands depth first and passes each on when it is first met: a node with a use that comes later passes on only a part. Sort first, then sweep from the outputs to the inputs.`
        : why.postOrder
          ? `${name} pays the operands of a node before the node itself has been paid. Sort first, then sweep from the outputs to the inputs.`
          : `${name} goes on to an operand with the total so far, once for each path: a node used twice passes its first contribution on twice. Sort first and visit each node once, or hand on the part that has just arrived.`;
    yield {
      node: first.site,
      finding: {
        start: startOf(first.site),
        end: endOf(first.site),
        message,
        evidence: "structural",
        related: [
          ...faulty.slice(1, 4).map(({ site }) => place(site, "and here")),
          place(why.node, "what is passed on is read here"),
        ],
      },
    };
  }
}

interface Pays {
  readonly node: Node;
  readonly postOrder: boolean;
}

/** The place where the node at hand pays from its running total. */
function paysAsItGoes(facts: FileFacts, recursion: Recursion): Pays | null {
  const { fn, site, operand, current } = recursion;
  // the gradient of a node is no operand of it: it is moved, cleared or shown with the node
  if (facts.names.gradient(/\.([\w$#]+)$/.exec(operand)?.[1] ?? "") === 2) return null;
  if (isPrivate(facts, recursion)) return null;
  const own = contributionsIn(facts, fn);
  const paid = own.find(
    (one) => samePlace(one.operand, operand) && fromTotal(one, current) && one.weighed!.carried,
  );
  if (paid !== undefined) return { node: paid.write.node, postOrder: startOf(paid.write.node) > endOf(site) };
  const handed = handsTotalOn(facts, recursion);
  if (handed !== null) return { node: handed, postOrder: false };
  const names = stepNames(facts);
  const step = stepsOn(facts, fn.node, current).find((call) => {
    const name = calleeName(call) ?? "";
    return (
      runsIn(facts, call) === fn &&
      call !== site &&
      name !== fn.name &&
      !isTaken(call) &&
      (names.has(name) || facts.names.backward(name) || stepOfDriver(facts, fn, call)) &&
      !/^(?:forward|zero|reset|clear)/i.test(name)
    );
  });
  return step === undefined ? null : { node: step, postOrder: startOf(step) > endOf(site) };
}

/** A node that the operation around has made for itself, and that nobody else uses: `const e = exp(x); ... e.back();`. */
function isPrivate(facts: FileFacts, { site, fn }: Recursion): boolean {
  const holder = receiver(site);
  if (holder !== null && isRunAgain(facts, holder)) return true;
  const binding = holder === null ? null : facts.binding(holder);
  const around = fn.parent;
  const [made, ...more] = binding?.definitions.filter(({ kind }) => kind !== "element") ?? [];
  return (
    binding?.kind === "variable" &&
    around !== null &&
    made !== undefined &&
    more.length === 0 &&
    made.path.length === 0 &&
    facts.isCall(bare(made.expression)) &&
    facts.scopes.declaredIn(binding, around.node) &&
    around.returns.every((value) => facts.binding(value) !== binding)
  );
}

/** What a step gives back is kept: it hands contributions out and pays nobody itself. */
function isTaken(call: Node): boolean {
  let at = call;
  while (
    at.parent != null &&
    (bare(at.parent) !== at.parent || /^(?:Logical|Conditional)Expression$/.test(at.parent.type))
  )
    at = at.parent;
  return /^(?:VariableDeclarator|AssignmentExpression|ForOfStatement)$/.test(at.parent?.type ?? "");
}

/** In a function that is named for the sweep, what a node is told to do without arguments is its step. */
function stepOfDriver(facts: FileFacts, fn: Fn, call: Node): boolean {
  const own = fn.params[0] === undefined ? null : facts.binding(fn.params[0]);
  const sweeps = isBackward(facts, fn) || (fn.parent !== null && isBackward(facts, fn.parent));
  return sweeps && (isOwnStep(facts, call) || (own !== null && isStepOf(facts, call, own)));
}

function fromTotal(one: Contribution, current: ReadonlySet<string>): boolean {
  const { payer } = one;
  return payer !== "" && (current.has(payer) || [...current].some((key) => payer.startsWith(`${key}.`)));
}

/** `this.inputs[*][0]` and `this.inputs[i].node` are reached alike: by the same list of the same node. */
function samePlace(a: string, b: string): boolean {
  if (a === b) return true;
  const list = (key: string): string => key.replace(/\[[^\]]*\]$/, "[*]");
  return /\]$/.test(a) && list(a) === list(b);
}

/** `kid.backward(this.grad * d)` in a function that adds what it is handed to `this.grad` first. */
function handsTotalOn(facts: FileFacts, { fn, current, args }: Recursion): Node | null {
  for (const { write, operand, named } of received(facts).get(fn) ?? []) {
    // the node itself, or what the table of sums knows it by: `bar.get(n.id)`
    if (!current.has(operand) && ![...current].some((key) => operand.startsWith(`${key}.`))) continue;
    for (const arg of args.filter((one) => named || multiplies(facts, one)))
      for (const read of valuesOf(facts).reads(arg)) {
        if (read.kind === "field" && current.has(read.object) && read.name === write.name) return read.node;
        if (read.kind === "element" && read.container === write.container && read.index === operand)
          return read.node;
      }
  }
  return null;
}

interface Received {
  readonly write: Write;
  /** key of the node, or of the entry, that a parameter is added to */
  readonly operand: string;
  /** the slot says gradient by its name */
  readonly named: boolean;
}

/** Writes that add a parameter to the slot of the node at hand: `n.grad += share`, `bar.set(n.id, old + share)`. */
const received = (facts: FileFacts): ReadonlyMap<Fn, readonly Received[]> =>
  facts.once("received", (file) => {
    const values = valuesOf(file);
    const out = new Map<Fn, Received[]>();
    for (const { write, verdict } of judgedWrites(file)) {
      const named = verdict === "accumulates" && file.names.gradient(write.name) > 0;
      if (!named && !/^(?:add|assign|map-set)$/.test(write.form)) continue;
      const home = runsIn(file, write.node);
      // without a name the sweep has to show by its start: `y.receive(1)`
      if (home === null || !(named || (startedAtOne(file).has(home) && addsUp(file, write)))) continue;
      const handed = values
        .reads(write.value)
        .some(({ kind, node }) => kind === "param" && file.scopes.declaredIn(file.binding(node)!, home.node));
      if (!handed) continue;
      const list = out.get(home) ?? [];
      list.push({ write, operand: isEntry(write) ? write.indexKey : write.objectKey, named });
      out.set(home, list);
    }
    return out;
  });

const addsUp = (facts: FileFacts, write: Write): boolean =>
  write.form === "add" ||
  adds(
    facts,
    write.value,
    slotOf(write, (name) => [name]),
  );

/** Functions that call themselves, and that others call with a one. */
const startedAtOne = (facts: FileFacts): ReadonlySet<Fn> =>
  facts.once("recursions from one", (file) => {
    const out = new Set<Fn>();
    for (const call of file.calls) {
      const name = calleeName(call);
      const fn = name === null ? null : runsIn(file, call);
      if (fn === null || fn.name !== name || out.has(fn)) continue;
      const seeded = callsNamed(file, name).some(
        (other) => argumentsOf(other).some((argument) => isOne(argument)) && runsIn(file, other) !== fn,
      );
      if (seeded) out.add(fn);
    }
    return out;
  });

/** A recursion that hands a running total on is a reverse sweep by itself, whatever else the file shows. */
export const showsTotals = (facts: FileFacts): boolean =>
  facts.once(
    "shows totals",
    (file) =>
      !file.names.minified &&
      received(file).size > 0 &&
      recursionsOf(file).some((one) => handsTotalOn(file, one) !== null),
  );
