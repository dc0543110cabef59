/** Operands that are handed a contribution by a call whose name says that it adds, wherever that function is. */
import type { FileFacts } from "../../facts.js";
import type { Fn } from "../../functions.js";
import { operationOf, type Operation } from "../../operations.js";
import { argumentsOf, bare, calleeName, receiver, type Node } from "../../tree.js";
import { addingName } from "../../writes.js";
import { keptAs, runsIn } from "./nodes.js";

export interface Handed {
  readonly call: Node;
  readonly operand: Node;
  /** what is handed over */
  readonly value: Node;
  readonly closure: Fn;
  readonly operation: Operation;
}

/** `b.accumulate(g)`, `accumulate(b, g)` in the closures of operations, of operands of the operation. */
export const handedToAdders = (facts: FileFacts): readonly Handed[] =>
  facts.once("handed to adders", (file) =>
    file.calls.flatMap((call) => {
      const name = calleeName(call) ?? "";
      if (!addingName(name) && !file.names.helper(name)) return [];
      const args = argumentsOf(call);
      const operand =
        args.length === 1 ? receiver(call) : args.length === 2 && receiver(call) === null ? args[0] : null;
      const closure = operand === null ? null : runsIn(file, call);
      const operation = closure === null ? null : operationOf(file, closure);
      if (operand === null || closure === null || operation === null || !operation.linked) return [];
      // by the name under which it is kept: listeners and accessors add things to lists, too
      const kept = keptAs(file, closure).some(
        (one) => file.names.backward(one) || file.names.derivative(one),
      );
      if (!kept) return [];
      const self = bare(operand).type === "ThisExpression";
      const binding = self ? null : file.binding(operand);
      const own = self || (binding?.kind === "param" && file.scopes.declaredIn(binding, operation.fn.node));
      return own ? [{ call, operand, value: args[args.length - 1], closure, operation }] : [];
    }),
  );
