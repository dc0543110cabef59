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
        const [around] = loopsAround(file, body);
        if (walked !== null && around?.node === loop)
          push(loop, body, child(walked, "object")!, around.reverse, values.key(walked));
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

/** Methods that the body calls on the node at hand, or the node itself called as a function. */
export function stepsOn(facts: FileFacts, body: Node, current: ReadonlySet<string>): Node[] {
  const values = valuesOf(facts);
  return partOf(facts.calls, body).filter((call) => {
    const object = receiver(call);
    if (object !== null) {
      const key = values.key(object);
      if (current.has(key)) return true;
      // `node.rule.pay()`
      return [...current].some((one) => key.startsWith(`${one}.`));
    }
    const callee = bare(child(call, "callee")!);
    return !isCall(callee) && current.has(values.key(callee));
  });
}
