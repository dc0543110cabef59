/**
 * The built-ins of a realm, made to know traced numbers. They are replaced where they stand, once, rather than at each
 * reference in user code: so `const { sin } = Math`, `xs.map(Math.sin)` and packages that take Math's functions are
 * traced, and `x.constructor === Number` stays true. For values that are not traced nothing changes.
 */
import { patchArrays } from "./arrays.js";
import { patchClone } from "./clone.js";
import { patchKeyed } from "./keyed.js";
import { patchMath } from "./math.js";
import { patchNumbers } from "./numbers.js";
import { patchOutside } from "./outside.js";
import { Patches } from "./patch.js";

const installed = new WeakMap<object, () => void>();

/** Patches a realm's built-ins; a second call does nothing. The answer undoes it. */
export function installRealm(realm: typeof globalThis): () => void {
  const known = installed.get(realm);
  if (known !== undefined) return known;
  const patches = new Patches();
  patchMath(patches, realm.Math);
  patchNumbers(patches, realm);
  patchArrays(patches, realm);
  patchKeyed(patches, realm);
  patchClone(patches, realm);
  patchOutside(patches, realm);
  const uninstall = (): void => {
    patches.restore();
    installed.delete(realm);
  };
  installed.set(realm, uninstall);
  return uninstall;
}
