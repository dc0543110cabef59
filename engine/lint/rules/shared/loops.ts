/** Loops over lists of nodes: what they walk, which way, and what they do with the node at hand. */
import type { FileFacts } from "../../facts.js";
import { partOf } from "../../lookups.js";
import { loopsAround } from "../../reverse.js";
import { valuesOf } from "../../values.js";
import {
  argumentsOf,
  bare,
  calleeName,
  child,
  isCall,
  isFunction,
  isMember,
  propertyName,
  receiver,
  startOf,
  type Node,
} from "../../tree.js";
import { partsOf } from "./nodes.js";

export interface ListLoop {
  readonly node: Node;
  readonly body: Node;
  /** the walked expression */
  readonly list: Node;
  /** from its end to its start */
  readonly backwards: boolean;
  /** key of the node at hand */
  readonly current: string;
  /** where it is reported: the head */
  readonly head: { readonly start: number; readonly end: number };
}

export const listLoops = (facts: FileFacts): readonly ListLoop[] =>
  facts.once("list loops", (file) => {
    const out: ListLoop[] = [];
    const values = valuesOf(file);
    const push = (node: Node, body: Node, list: Node, backwards: boolean, current?: string): void => {
      const start = startOf(node);
      out.push({
        node,
        body,
        list,
        backwards,
        current: current ?? `${values.key(list)}[*]`,
        head: { start, end: Math.max(startOf(body), start + 1) },
      });
    };
    for (const loop of file.loops) {
      const body = child(loop, "body")!;
      if (loop.type === "ForOfStatement") {
        const left = child(loop, "left")!;
        const id = left.type === "VariableDeclaration" ? child((left.declarations as Node[])[0], "id") : left;
        push(
          loop,
          body,
          child(loop, "right")!,
          false,
          id?.type === "Identifier" ? values.key(id) : undefined,
        );
      } else if (loop.type === "ForInStatement") {
        const walked = counted(file, loop, body);
        if (walked !== null) push(loop, body, child(walked, "object")!, false, values.key(walked));
      } else if (loop.type === "ForStatement") {
        const walked = counted(file, loop, body);
        // the body may be a loop itself
        const around = loopsAround(file, body).find(({ node }) => node === loop);
        if (walked !== null && around !== undefined)
          push(loop, body, child(walked, "object")!, around.reverse, values.key(walked));
      } else if (loop.type === "WhileStatement") {
        const walked = stepped(file, loop, body);
        if (walked !== null) push(loop, body, walked.list, walked.backwards, walked.current);
      }
    }
    for (const call of file.calls) {
      const name = calleeName(call) ?? "";
      const object = receiver(call);
      const callback = argumentsOf(call)[0];
      if (!/^(?:forEach|map|reduceRight|reduce)$/.test(name) || object === null || callback === undefined)
        continue;
      const fn = isFunction(bare(callback)) ? file.functionOf(bare(callback)) : null;
      const param = fn?.params[/^reduce/.test(name) ? 1 : 0];
      if (fn !== null)
        push(
          call,
          fn.node,
          object,
          name === "reduceRight",
          param?.type === "Identifier" ? values.key(param) : undefined,
        );
    }
    return out;
  });

/** `list[i]` of the loop's own counter. */
function counted(facts: FileFacts, loop: Node, body: Node): Node | null {
  const init = child(loop, loop.type === "ForInStatement" ? "left" : "init");
  const declared = init?.type === "VariableDeclaration" ? (init.declarations as Node[])[0] : null;
  const id = declared == null ? init : child(declared, "id");
  const binding =
    id == null ? null : facts.binding(id.type === "AssignmentExpression" ? child(id, "left")! : id);
  if (binding === null) return null;
  return (
    partsOf(body).find(
      (node) =>
        isMember(node) &&
        propertyName(node) === null &&
        facts.binding(child(node, "property")!) === binding &&
        !/grad|adj|bar|cotan/i.test(String(bare(child(node, "object")!).name ?? "")),
    ) ?? null
  );
}

/** `while (i < list.length) list[i++]()`, `while (list.length > 0) list.shift()()`. */
function stepped(
  facts: FileFacts,
  loop: Node,
  body: Node,
): { readonly list: Node; readonly backwards: boolean; readonly current: string } | null {
  const values = valuesOf(facts);
  const tested = partsOf(child(loop, "test")!);
  const lists = tested.flatMap((node) =>
    isMember(node) && propertyName(node) === "length" ? [child(node, "object")!] : [],
  );
  for (const list of lists) {
    const key = values.key(list);
    for (const node of partsOf(body)) {
      const taken = isCall(node) ? receiver(node) : null;
      const end = taken !== null && values.key(taken) === key ? calleeName(node) : null;
      if (end === "shift" || end === "pop")
        return { list, backwards: end === "pop", current: values.key(node) };
      if (!isMember(node) || propertyName(node) !== null || values.key(child(node, "object")!) !== key)
        continue;
      const index = bare(child(node, "property")!);
      const counter = facts.binding(index.type === "UpdateExpression" ? child(index, "argument")! : index);
      if (
        counter !== null &&
        tested.some((part) => part.type === "Identifier" && facts.binding(part) === counter)
      )
        return { list, backwards: false, current: values.key(node) };
    }
  }
  return null;
}

/** Methods that the body calls on the node at hand, or the node itself called as a function. */
export function stepsOn(facts: FileFacts, body: Node, current: ReadonlySet<string>): Node[] {
  const values = valuesOf(facts);
  return partOf(facts.calls, body).filter((call) => {
    const object = receiver(call);
    const called = bare(child(call, "callee")!);
    // `steps[i]()`
    if (isMember(called) && called.computed === true && current.has(values.key(called))) return true;
    if (object !== null) {
      const key = values.key(object);
      if (current.has(key)) return true;
      // `node.rule.pay()`
      return [...current].some((one) => key.startsWith(`${one}.`));
    }
    const taken = !isCall(called) || /^(?:shift|pop)$/.test(calleeName(called) ?? "");
    return taken && current.has(values.key(called));
  });
}
