/** The text of a new graph definition. Pure: no editor here. */

/** What a new file begins with; `name` is the exported graph. */
export function newGraphText(name: string): string {
  return `import { graph } from "backsweep";

export const ${name} = graph({ x: 2, y: 3 }, ({ x, y }) => {
  const a = x * y;
  const b = a + x;
  const c = a * y;
  return b * c;
});
`;
}

/** "my-loss" gives "myLoss": a file's name as the name of its graph. */
export function graphNameOf(file: string): string {
  const words = file.split(/[^\p{L}\p{N}_$]+/u).filter((word) => word !== "");
  const name = words.map((word, i) => (i === 0 ? word : word[0].toUpperCase() + word.slice(1))).join("");
  return /^[\p{L}_$]/u.test(name) && !reserved.has(name) ? name : `graph${name === "" ? "1" : `_${name}`}`;
}

const reserved = new Set(
  (
    "break case catch class const continue debugger default delete do else enum export extends false finally for function graph if " +
    "import in instanceof let new null return static super switch this throw true try typeof var void while with yield await"
  ).split(" "),
);
