import { describe, expect, it } from "vitest";
import { parseDirection } from "../../../cli/hvp.js";

describe("--direction", () => {
  it("takes numbers, arrays and elements", () => {
    expect(parseDirection("x=1,y=-0.5")).toEqual([
      { name: "x", index: [], value: 1 },
      { name: "y", index: [], value: -0.5 },
    ]);
    expect(parseDirection(" w = [1, 0, 2], v[3] = 1e-3 ")).toEqual([
      { name: "w", index: [], value: [1, 0, 2] },
      { name: "v", index: [3], value: 1e-3 },
    ]);
    expect(parseDirection("W=[[1,0],[0,1]], W2 [0] [1] =1")).toEqual([
      {
        name: "W",
        index: [],
        value: [
          [1, 0],
          [0, 1],
        ],
      },
      { name: "W2", index: [0, 1], value: 1 },
    ]);
    expect(parseDirection("w=[]")).toEqual([{ name: "w", index: [], value: [] }]);
    expect(parseDirection("w=[1,],x=0x10")).toEqual([
      { name: "w", index: [], value: [1] },
      { name: "x", index: [], value: 16 },
    ]);
  });

  it.each([
    ["", '"" is not name=number'],
    ["x", '"x" is not name=number'],
    ["x=1,2", '"2" is not name=number; an array is written w=[1,0,2]'],
    ["=1", '"=1" is not name=number'],
    ["x=a", '--direction x: "a" is not a number'],
    ["x=", '--direction x: "" is not a number'],
    ["w=[1,b]", '--direction w: "b" is not a number'],
    ["w=[[1,2]", '--direction w: "[[1,2]" has a bracket without its other'],
    ["w[1]=[2]", "--direction w[1]: one element takes one number"],
  ])("refuses %s", (text, message) => {
    expect(() => parseDirection(text)).toThrow(message);
  });
});
