import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { edgePath } from "../../../webview/graph/route.js";
import { contentSecurityPolicy, shellHtml } from "../../../webview/shell.js";
import {
  barName,
  ellipsis,
  factor,
  full,
  middleEllipsis,
  short,
  terms,
} from "../../../engine/report/text/format.js";

describe("numbers", () => {
  it.each([
    [144, "144"],
    [-0, "-0"],
    [0, "0"],
    [NaN, "NaN"],
    [Infinity, "Infinity"],
    [-Infinity, "-Infinity"],
    [1e-300, "1e-300"],
    [1 / 3, "0.3333"],
    [-1234.5678, "-1235"],
    [999999, "999999"],
    [1e6, "1e6"],
    [123456789, "1.235e8"],
    [0.00012346, "0.0001235"],
    [5e-324, "4.941e-324"],
  ])("writes %d as %s", (x, text) => expect(short(x)).toBe(text));

  it("keeps four digits and the size of every number", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e300, max: 1e300 }), (x) => {
        const back = Number(short(x));
        expect(Math.abs(back - x)).toBeLessThanOrEqual(Math.abs(x) * 5e-4 + Number.MIN_VALUE);
        expect(Object.is(Number(full(x)), x)).toBe(true);
      }),
    );
  });

  it("writes sums and factors with their signs", () => {
    expect(terms([18, 24])).toBe("18 + 24");
    expect(terms([18, -24, -0])).toBe("18 - 24 - 0");
    expect(factor(-1)).toBe("(-1)");
  });
});

describe("names", () => {
  it("cuts at code points", () => {
    expect(ellipsis("abcdef", 4)).toBe("abc…");
    expect(middleEllipsis("state@1234", 8)).toBe("state…34");
    expect(Array.from(middleEllipsis("😀😀😀😀😀😀", 4)).length).toBe(4);
  });

  it("puts a bar over a letter only", () => {
    expect(barName("L")).toBe("L\u0304");
    expect(barName("loss")).toBe("cotangent of loss");
  });
});

describe("edge paths", () => {
  it("start and end at the cards' sides and pass along the bends", () => {
    const path = edgePath({ x: 100, y: 50 }, { x: 604, y: 250 }, [{ x: 352, y: 150 }]);
    expect(path.at(0)).toEqual({ x: 176, y: 50 });
    expect(path.at(1)).toEqual({ x: 528, y: 250 });
    const near = Array.from({ length: 200 }, (_, i) => path.at(i / 199)).filter(
      (p) => Math.abs(p.x - 352) < 60,
    );
    expect(near.every((p) => Math.abs(p.y - 150) < 1)).toBe(true);
  });
});

describe("shellHtml", () => {
  it("allows its own script only and escapes what it is given", () => {
    const csp = contentSecurityPolicy("n", "https://x");
    expect(csp).toContain("default-src 'none'");
    expect(csp).not.toContain("unsafe");
    const html = shellHtml({
      nonce: "n",
      cspSource: "s",
      scriptUri: "a.js",
      styleUri: "a.css",
      title: "</title><script>",
    });
    expect(html).not.toContain("</title><script>");
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/ on\w+=| style=/);
  });
});
