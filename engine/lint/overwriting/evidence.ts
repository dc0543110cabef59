/**
 * How much speaks for a write being one contribution of several into an operand's slot. Structure carries it: the value
 * comes from the same slot of another node, that node is the output, the code runs in the reverse sweep. Names add to it
 * and never suffice. Each sign has a weight; what reaches `ENOUGH` is reported.
 */
import type { FileFacts } from "../facts.js";
import type { Fn } from "../functions.js";
import { callsNamed, partOf } from "../lookups.js";
import { loopsAround, takesOff, type Loop } from "../reverse.js";
import { operationOf, resumedOperation, type Operation } from "../operations.js";
import { valuesOf } from "../values.js";
import { type Read } from "../value-forms.js";
import { slotNamesOf, startsOf } from "./slots.js";
import { isDriven } from "./driven.js";
import { isOfFamily } from "./families.js";
import { isHanded, isSwept } from "./handed-cotangents.js";
import { type Contribution, isEntry, isBackward } from "./entries.js";
import {
  fromMethod,
  ofEntries,
  fromField,
  fromContainer,
  fromParameter,
  related,
  pulledFromLater,
} from "./upstream.js";
import {
  ownThis,
  gathers,
  distributes,
  scatters,
  isAt,
  pairedMethod,
  fromOutput,
  madeFromOperand,
  outputSpeaks,
  ownOperation,
  isRecursive,
  visits,
  inTable,
} from "./relations.js";
import { seededAround } from "./sweeps.js";
import { isShare, published } from "./shares.js";
import { multiplies, derivativeCall, isAlias, isBesideProducts, scales } from "./parts.js";

export const ENOUGH = 5;

export interface Weighed {
  readonly score: number;
  /** what the contribution comes from, null when it is not seen */
  readonly upstream: Read | null;
  readonly home: Fn | null;
  readonly operation: Operation | null;
  readonly loop: Loop | null;
  /** what is written is the node at hand, not an operand of it */
  readonly own: boolean;
  /** a name, or in its place a slot that starts at nothing and is fed from an output */
  readonly carried: boolean;
  /** runs in the reverse sweep, by where it stands or what it is called */
  readonly reverse: boolean;
}

export function weigh(facts: FileFacts, given: Contribution): Weighed {
  const values = valuesOf(facts);
  const slots = slotNamesOf(facts);
  const { write, entry } = ofEntries(given, values.reads(given.value));
  const home = facts.home(write.node);
  const swept = isSwept(facts, write);
  const operation =
    home === null ? null : (resumedOperation(facts, write.node, home) ?? operationOf(facts, home));
  const loops = loopsAround(facts, write.node);
  const loop = loops.at(-1) ?? null;
  const reverseLoop = loops.find((around) => around.reverse) ?? null;
  const backward =
    home !== null &&
    (isBackward(facts, home) ||
      isDriven(facts, home, write.name) ||
      isHanded(facts, home, write.name) ||
      isOfFamily(facts, home, write.name) ||
      swept);
  const reads = values.reads(write.value);
  const field = write.container === "" || write.object !== null;
  // what a sweep does with a record says as much as a name
  const strength = swept ? 2 : facts.names.gradient(write.name);

  const upstream =
    entry ??
    (field && write.object !== null ? fromField(reads, write, (name) => slots.canonical(name)) : null) ??
    (write.container !== "" ? fromContainer(reads, write) : null) ??
    fromMethod(facts, write) ??
    fromParameter(facts, reads, home, operation, backward, write);
  const relation = related(facts, write, upstream);
  const target = write.object === null || isEntry(write) ? write.indexKey : write.objectKey;
  const atOnce = operation === null && ownOperation(facts, home, write, reads);
  const scatter = backward && strength === 2 && scatters(write, upstream);
  const own =
    relation === "pull" ||
    gathers(facts, write, reads) ||
    pulledFromLater(loops, write, upstream) ||
    ownThis(facts, write, home, operation) ||
    published(facts, write, target, upstream) ||
    (write.object !== null &&
      !isEntry(write) &&
      write.objectKey === "this" &&
      operation === null &&
      !atOnce &&
      !scatter) ||
    (relation !== "push" && loop !== null && (operation === null || loop.reverse) && isAt(loop, target)) ||
    (operation !== null &&
      (operation.outputs.has(write.objectKey) || (isEntry(write) && operation.outputs.has(write.indexKey))));

  let score = 0;
  score += strength;
  if (operation !== null) score += operation.linked && fromOutput(facts, upstream, operation, home) ? 2 : 1;
  else if (atOnce) score += 3;
  if (backward) score += 2;
  else if (reverseLoop !== null) score += 2;
  const product = multiplies(facts, write.value);
  const derivative = derivativeCall(facts, write.value);
  const share = distributes(facts, write.value, loops) || isShare(facts, write, upstream);
  if (derivative === 2) score += 2;
  else if (product || derivative === 1) score += 1;
  // one number over a stretch is no copy of a slot
  else if (write.form !== "buffer-fill" && upstream !== null && !share && isAlias(write.value, upstream))
    score -= 1;
  if (relation === "push" || (upstream !== null && operation !== null)) score += 1;
  if (share) score += 2;
  if (upstream === null) score -= 1;
  if (pairedMethod(facts, home, write)) score += 2;
  if (scatter) score += 2;
  // from a node of a list to its operands, or in one of several rules
  if (relation === "push" && operation === null && (loops.length > 0 || inTable(home))) score += 1;
  const starts = startsOf(facts);
  const slot = slots.canonical(write.name);
  const seeded = starts.one.has(slot) || seededAround(facts, write.node).has(slot);
  // one of several rules, in a file that seeds the slot
  if (relation === "push" && inTable(home) && seeded) score += 1;
  const blank = starts.blank.has(slot);
  if (blank && operation !== null && operation.linked) score += 1;
  // without a name that says gradient the rest has to: a slot that starts at nothing, an output or a seed
  const carried =
    strength > 0 ||
    (!facts.names.minified &&
      blank &&
      upstream !== null &&
      (operation !== null
        ? madeFromOperand(facts, write, upstream, operation)
        : ((reverseLoop !== null && !takesOff(facts, reverseLoop)) ||
            (home !== null && isDriven(facts, home, write.name))) &&
          relation === "push" &&
          (seeded || (isEntry(write) && derivative > 0))));
  const doubtful =
    strength === 1 &&
    !backward &&
    (operation !== null
      ? // what goes wrong in a callback is kept under such a name, too
        /^_*err(?:or)?_*$/i.test(write.name) || !outputSpeaks(facts, upstream, operation, write.name, home)
      : !blank && !seeded && !atOnce && derivative === 0);
  if (
    !carried ||
    doubtful ||
    (strength === 0 &&
      derivative === 0 &&
      (!product || !scales(facts, write.value) || isBesideProducts(facts, write.value, upstream)))
  )
    score = Math.min(score, ENOUGH - 1);
  if (isEntry(write)) score += upstream !== null && upstream.kind === "element" ? 1 : 0;
  return {
    score,
    upstream,
    home,
    operation,
    loop: reverseLoop ?? loop,
    own,
    carried,
    reverse:
      operation !== null ||
      atOnce ||
      backward ||
      reverseLoop !== null ||
      (strength > 0 &&
        (inTable(home) ||
          (relation === "push" &&
            // `k.bar ??= slope * bar` over a list that is in order when the sweep begins
            ((write.form === "default" && seeded && inOrder(facts, loops)) ||
              visits(facts, home, upstream) ||
              (starts.one.has(slot) && isRecursive(facts, home)))))),
  };
}

/** No loop puts more on a list that it walks: a way down from a root does, where every node comes from one other. */
const inOrder = (facts: FileFacts, loops: readonly Loop[]): boolean =>
  loops.length > 0 && loops.every(({ node }) => partOf(callsNamed(facts, "push"), node).length === 0);
