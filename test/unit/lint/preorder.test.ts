import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseForLint } from "../../../engine/lint/parse.js";
import { NodeTable, numbered } from "../../../engine/lint/preorder.js";
import { AT, fieldsOf, isNode, isTypeOnly, TREE, walk, type Node } from "../../../engine/lint/tree.js";
import { fixtures } from "./fixtures.js";

/** A tree of statements and expressions whose shape comes out of numbers. */
function treeOf(shape: readonly number[]): Node {
  const root: Node = { type: "Program", body: [] };
  const made: Node[] = [root];
  shape.forEach((number, i) => {
    const parent = made[number % made.length];
    const node: Node = { type: "BlockStatement", body: [], start: i, end: i };
    (parent.body as Node[]).push(node);
    made.push(node);
  });
  return root;
}

/** The same by recursion. */
function inside(node: Node): Node[] {
  if (isTypeOnly(node)) return [];
  const parts = fieldsOf(node).flatMap((field) => {
    const value = node[field];
    return (Array.isArray(value) ? value : [value]).filter(isNode);
  });
  return [node, ...parts.flatMap(inside)];
}

function walked(root: Node, skip: (node: Node) => boolean = () => false): Node[] {
  const out: Node[] = [];
  walk(root, (node) => {
    out.push(node);
    return !skip(node);
  });
  return out;
}

describe("a numbered tree", () => {
  it("is the list that recursion gives, and each node's part of it is one run", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { maxLength: 60 }), (shape) => {
        const root = treeOf(shape);
        const { nodes, ends, parents, depth } = numbered(root);
        expect(nodes).toEqual(inside(root));
        nodes.forEach((node, place) => {
          expect(node[AT]).toBe(place);
          expect(nodes.slice(place, ends[place])).toEqual(inside(node));
          expect(nodes[parents[place]]).toBe(node.parent);
        });
        const levels = (node: Node): number => 1 + Math.max(-1, ...(node.body as Node[]).map(levels));
        expect(depth).toBe(levels(root));
      }),
    );
  });

  it("is walked as one without numbers is, skipping what it is told to", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { maxLength: 40 }), fc.nat(7), (shape, odd) => {
        const skip = (node: Node): boolean => Number(node.start ?? 1) % 7 === odd;
        const places = (root: Node): unknown[] => walked(root, skip).map(({ start }) => start);
        const plain = treeOf(shape);
        const counted = treeOf(shape);
        numbered(counted);
        expect(plain[TREE]).toBeUndefined();
        expect(places(counted)).toEqual(places(plain));
      }),
    );
  });

  it("comes out of the parser, with every node of real engines in it", () => {
    for (const { text, name } of fixtures("overwriting/right")) {
      const { root } = parseForLint(text, name);
      expect(root[TREE]?.nodes).toEqual(inside(root));
    }
  });

  it("has places for what is kept about its nodes, others are kept beside", () => {
    const root = treeOf([0, 1, 1]);
    const table = new NodeTable<string>(numbered(root));
    const stranger: Node = { type: "Rest" };
    table.set(root, "root");
    table.set(stranger, "stranger");
    expect([table.get(root), table.get(stranger)]).toEqual(["root", "stranger"]);
    expect(table.get((root.body as Node[])[0])).toBeUndefined();
  });
});
