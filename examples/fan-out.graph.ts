import { graph } from "backsweep";

export const fanOut = graph({ x: 2, y: 3 }, ({ x, y }) => {
  const a = x * y;
  const b = a + x;
  const c = a * y;
  return b * c;
});
