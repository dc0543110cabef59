import { createRequire } from "node:module";
import { join } from "node:path";
import { places } from "../places.js";
import type { Peer } from "./packages.js";

/** A module of an installed peer; the caller names the part of its interface that it uses. */
export function loadPeer<T>(peer: Peer, specifier: string): T {
  return createRequire(join(places().peers, peer, "package.json"))(specifier) as T;
}
