import { describe, expect, it } from "vitest";
import { FileFacts } from "../../../../engine/lint/facts.js";
import { Names } from "../../../../engine/lint/options.js";
import { parsePython } from "../../../../engine/lint/python/parse.js";
import { loopsAround } from "../../../../engine/lint/reverse.js";
import { valuesOf } from "../../../../engine/lint/values.js";
import { writesOf } from "../../../../engine/lint/writes.js";
import { parser } from "./engines.js";

const factsOf = (text: string): FileFacts =>
  new FileFacts(parsePython(text, parser).root, text, new Names({}));
/** Keys without the numbers of their bindings. */
const plain = (key: string): string => key.replace(/~\d+/g, "");

/** Every store of a text: its form and the place it goes to. */
function stores(text: string): string[] {
  return writesOf(factsOf(text)).map(({ form, objectKey, name, container, indexKey }) =>
    container === ""
      ? `${form} ${plain(objectKey)}.${name}`
      : `${form} ${plain(container)}[${plain(indexKey)}]`,
  );
}

describe("stores of Python", () => {
  it.each<[string, string[]]>([
    ["x.grad = g", ["assign x.grad"]],
    ["x.grad += g", ["add x.grad"]],
    ["x.grad -= g", ["add x.grad"]],
    ["x.grad *= g", ["scale x.grad"]],
    ["x.grad: float = g", ["assign x.grad"]],
    ["x.grad[:] = g", ["buffer-set x.grad"]],
    ["x.grad[...] = g", ["buffer-set x.grad"]],
    ["x.grad[:] += g", ["add x.grad"]],
    ["np.copyto(x.grad, g)", ["buffer-set x.grad"]],
    ["np.add.at(x.grad, i, g)", ["add x.grad[i]"]],
    ["np.add(x.grad, g, out=x.grad)", ["assign x.grad"]],
    ["a.grad, b.grad = f(g)", ["destructure a.grad", "destructure b.grad"]],
    ["a.grad, b.grad = g, h", ["assign a.grad", "assign b.grad"]],
    ["a.grad = b.grad = g", ["assign a.grad", "assign b.grad"]],
    ["setattr(x, 'grad', g)", ["assign x.grad"]],
    ["d = {}\nd[n] = g", ["map-set d[n]"]],
    ["d = {}\nd[n] += g", ["map-set d[n]"]],
    ["def f(d: Dict[int, float]):\n    d[n] = g", ["map-set d[n]"]],
    ["d = {}\nd['w'] = g", ["assign d.w"]],
    ["d = {}\nd[f'w{i}'] = g", []],
    ["d['w' + str(i)] = g", []],
    ["xs[i] = g", ["assign xs[i]"]],
    ["d.setdefault(n, g)", ["default d[n]"]],
    ["d = {}\nd.update(e)", ["merge d[*]"]],
    ["d = Counter()\nd.update(e)", []],
    ["s = set()\ns.update(e)", []],
  ])("%s", (text, expected) => {
    expect(stores(text)).toEqual(expected);
  });
});

describe("places in Python", () => {
  /** Key of what is stored into `out.it`. */
  function keyOfStored(text: string): string {
    const facts = factsOf(text);
    const store = writesOf(facts).find(({ name }) => name === "it")!;
    return plain(valuesOf(facts).key(store.value));
  }
  it.each([
    ["class A:\n    def f(self):\n        out.it = self.x", "this.x"],
    ["class A:\n    def f(self):\n        def g():\n            out.it = self.x", "this.x"],
    ["class A:\n    @staticmethod\n    def f(self):\n        out.it = self.x", "self.x"],
    ["class A:\n    def f(me):\n        out.it = me.x", "this.x"],
    ["for x in reversed(xs):\n    out.it = x", "xs[*]"],
    ["for x in xs[::-1]:\n    out.it = x", "xs[*]"],
    ["for i, x in enumerate(xs):\n    out.it = x", "xs[*]"],
    ["for x, y in zip(xs, ys):\n    out.it = y", "ys[*]"],
    ["for i, (x, y) in enumerate(zip(xs, ys)):\n    out.it = y", "ys[*]"],
    ["for x, y in reversed(list(zip(xs, ys))):\n    out.it = x", "xs[*]"],
    ["for k, v in d.items():\n    out.it = v", "d[*][1]"],
    ["a, b = node.inputs\nout.it = b", "node.inputs[1]"],
    ["out.it = grads.get(n)", "grads[n]"],
    ["out.it = grads.get(n, 0.0)", "grads[n]"],
    ["out.it = grads.pop(n)", "grads[n]"],
    ["out.it = grads[id(n)]", "grads[n]"],
    ["out.it = getattr(n, 'grad')", "n.grad"],
    ["x = stack.pop()\nout.it = x", "stack[*]"],
    ["if (x := n.grad) is not None:\n    out.it = n.grad", "n.grad"],
  ])("%s", (text, expected) => {
    expect(keyOfStored(text)).toBe(expected);
  });

  it("keeps the names of two loops apart", () => {
    const text = "for v in xs:\n    v.use()\nfor v in ys:\n    out.it = v";
    expect(keyOfStored(text)).toBe("ys[*]");
  });
});

describe("loops of Python", () => {
  it.each([
    ["for x in reversed(xs):", true],
    ["for x in xs[::-1]:", true],
    ["for x in sorted(xs, key=f, reverse=True):", true],
    ["for i in range(len(xs) - 1, -1, -1):", true],
    ["for i in reversed(range(len(xs))):", true],
    ["for i in range(10):", false],
    ["for x in xs:", false],
    ["for x in sorted(xs):", false],
  ])("%s", (head, reverse) => {
    const facts = factsOf(`def f(xs):\n    ${head}\n        out.it = 1`);
    const [loop] = loopsAround(facts, writesOf(facts)[0].node);
    expect(loop.reverse).toBe(reverse);
  });
});

describe("definitions of Python", () => {
  it("are methods, accessors, closures and fields", () => {
    const text = [
      "class A(Base):",
      "    grad: float = 0.0",
      "    total = field(default=1.0)",
      "    def __init__(self, v, *rest, k=2, **more): self.v = v",
      "    @property",
      "    def bar(self): return self._bar",
      "    @bar.setter",
      "    def bar(self, value): self._bar = value",
      "    @staticmethod",
      "    def make(v): return A(v)",
      "    async def run(self):",
      "        yield await self.v",
      "def outer(a, /, b, *, c):",
      "    inner = lambda x: x + a",
      "    return [inner(y) for y in b if y]",
    ].join("\n");
    const facts = factsOf(text);
    expect(
      facts.functions.map(({ kind, name, isStatic, params }) => [kind, name, isStatic, params.length]),
    ).toEqual([
      ["constructor", "constructor", false, 4],
      ["get", "bar", false, 0],
      ["set", "bar", false, 1],
      ["method", "make", true, 1],
      ["method", "run", false, 0],
      ["function", "outer", false, 3],
      ["function", "inner", false, 1],
      ["function", "", false, 1],
    ]);
    expect(facts.fields).toHaveLength(2);
    expect(facts.news).toHaveLength(1);
    expect(facts.yields).toHaveLength(1);
  });
});
