/**
 * Numbers a tree: its nodes in the order of the text, each with its place in that list and the end of what stands inside it. A
 * walk from any node is then one run of the list, and what is kept about nodes is kept in arrays by their places.
 */
import { AT, fieldsOf, isNode, isTypeOnly, TREE, type Node, type Preorder } from "./tree.js";

/**
 * Sets `parent` and the number of every node that is code. `level` may change a node before its fields are read. Without
 * recursion.
 */
export function numbered(root: Node, level?: (node: Node) => void): Preorder {
  const nodes: Node[] = [];
  const parents: number[] = [];
  const stack: Node[] = [root];
  const around: number[] = [-1];
  const tree: { -readonly [key in keyof Preorder]: Preorder[key] } = {
    nodes,
    ends: NO_PLACES,
    parents: NO_PLACES,
    depth: 0,
  };
  while (stack.length > 0) {
    const node = stack.pop()!;
    const parent = around.pop()!;
    if (level !== undefined) level(node);
    if (isTypeOnly(node)) continue;
    const place = nodes.length;
    nodes.push(node);
    parents.push(parent);
    if (place === 0) node[TREE] = tree;
    node[AT] = place;
    const from = stack.length;
    for (const field of fieldsOf(node)) {
      const value = node[field];
      if (typeof value !== "object" || value === null) continue;
      if (Array.isArray(value)) {
        for (const item of value) if (isNode(item)) push(item, node);
      } else if (isNode(value)) push(value, node);
    }
    // what was pushed last is popped first: turn the children round
    for (let a = from, b = stack.length - 1; a < b; a++, b--) {
      const kept = stack[a];
      stack[a] = stack[b];
      stack[b] = kept;
    }
    while (around.length < stack.length) around.push(place);
  }
  tree.parents = Int32Array.from(parents);
  tree.ends = endsOf(parents);
  tree.depth = depthOf(parents);
  return tree;

  function push(item: Node, parent: Node): void {
    if (item.parent !== parent) item.parent = parent;
    stack.push(item);
  }
}

const NO_PLACES = new Int32Array(0);

/** Parents stand before their children: from the end on, each hands its end to what is around it. */
function endsOf(parents: readonly number[]): Int32Array {
  const ends = new Int32Array(parents.length);
  for (let i = parents.length - 1; i >= 0; i--) {
    if (ends[i] === 0) ends[i] = i + 1;
    const parent = parents[i];
    if (parent !== -1 && ends[parent] < ends[i]) ends[parent] = ends[i];
  }
  return ends;
}

function depthOf(parents: readonly number[]): number {
  const depths = new Int32Array(parents.length);
  let deepest = 0;
  for (let i = 1; i < parents.length; i++) {
    depths[i] = depths[parents[i]] + 1;
    if (depths[i] > deepest) deepest = depths[i];
  }
  return deepest;
}

/** What is kept about nodes: in an array by their places, in a map about nodes without one. */
export class NodeTable<T> {
  readonly #byPlace: (T | undefined)[];
  readonly #others = new Map<Node, T>();

  constructor({ nodes }: Preorder) {
    this.#byPlace = new Array<T | undefined>(nodes.length);
  }

  get(node: Node): T | undefined {
    const place = node[AT];
    return place === undefined ? this.#others.get(node) : this.#byPlace[place];
  }

  set(node: Node, value: T): void {
    const place = node[AT];
    if (place === undefined) this.#others.set(node, value);
    else this.#byPlace[place] = value;
  }
}
