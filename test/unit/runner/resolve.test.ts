/** Where a relative import leads, with links in the way. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { workspaceOf } from "../../../cli/paths.js";
import { resolveImport, type Walls } from "../../../runner/resolve.js";

let root: string;
let walls: Walls;

/** real/g.ts beside real/helper.ts; links/g.ts leads to the former; folder is a link to real. */
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "backsweep-resolve-")));
  for (const name of ["real", "links"]) mkdirSync(join(root, name));
  for (const name of ["g.ts", "helper.ts"]) writeFileSync(join(root, "real", name), "export const k = 1;\n");
  symlinkSync(join("..", "real", "g.ts"), join(root, "links", "g.ts"));
  symlinkSync("real", join(root, "folder"));
  walls = { root, allowImports: false, texts: new Set() };
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

it("a link to a file imports the neighbours of what it leads to", () => {
  const real = join(root, "real", "helper.ts");
  const wanted = { kind: "file", path: real, real };
  expect(resolveImport("./helper.ts", join(root, "links", "g.ts"), walls)).toEqual(wanted);
  expect(resolveImport("./helper", join(root, "links", "g.ts"), walls)).toEqual(wanted);
});

it("and not those of the link, which Node does not see either", () => {
  const other = join(root, "links", "helper.ts");
  writeFileSync(other, "export const k = 2;\n");
  try {
    const real = join(root, "real", "helper.ts");
    expect(resolveImport("./helper.ts", join(root, "links", "g.ts"), walls)).toMatchObject({ real });
  } finally {
    rmSync(other);
  }
});

it("in a folder that is a link files keep the names they have there", () => {
  expect(resolveImport("./helper.ts", join(root, "folder", "g.ts"), walls)).toEqual({
    kind: "file",
    path: join(root, "folder", "helper.ts"),
    real: join(root, "real", "helper.ts"),
  });
});

it("a neighbour that was never saved is found by its name in the editor", () => {
  const path = join(root, "links", "fresh.ts");
  const unsaved = { ...walls, texts: new Set([path]) };
  expect(resolveImport("./fresh.ts", join(root, "links", "g.ts"), unsaved)).toMatchObject({
    kind: "file",
    path,
  });
});

it("what is missing or outside says that a link is in the way", () => {
  const link = join(root, "links", "g.ts");
  const leads = `(${link} is a link to ${join(root, "real", "g.ts")})`;
  expect(resolveImport("./none.ts", link, walls)).toMatchObject({
    kind: "missing",
    reason: expect.stringContaining(leads),
  });
  const narrow = { ...walls, root: join(root, "links") };
  expect(resolveImport("./helper.ts", link, narrow)).toMatchObject({
    kind: "refused",
    reason: expect.stringContaining(leads),
  });
});

it("the workspace of a link is the folder it leads to", () => {
  expect(workspaceOf(join(root, "links", "g.ts"), join(root, "links"))).toBe(join(root, "real"));
  expect(workspaceOf(join(root, "links", "g.ts"), root)).toBe(root);
});
