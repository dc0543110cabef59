/** Makes MathML of the view's formulas while it is built, so that no typesetter is shipped: an import of a `.tex` file is its MathML. */
import { readFileSync } from "node:fs";
import temml from "temml";

export const formulas = {
  name: "formulas",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.tex$/ }, ({ path }) => ({
      contents: temml.renderToString(readFileSync(path, "utf8").trim(), { throwOnError: true }),
      loader: "text",
    })),
};
