import { graph } from "backsweep";

// The fan-out graph with a third child: d uses a twice, so a is owed 6 + 6 by d, 18 by b and 24 by c, 54 in all.
export const threeChildren = graph({ x: 2, y: 3 }, ({ x, y }) => {
  const a = x * y;
  const b = a + x;
  const c = a * y;
  const d = a * a;
  return b * c + d;
});
