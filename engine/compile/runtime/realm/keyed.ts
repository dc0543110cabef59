/** `Map` keys and `Set` members are primals: equality of numbers is what they are about. */
import { call } from "../../../tape/callsite.js";
import { cutInCall } from "../notes.js";
import { traced } from "../operators.js";
import type { Patches } from "./patch.js";

/* eslint-disable @typescript-eslint/no-explicit-any -- built-ins take anything */

const { apply } = Reflect;

function keyed(what: string, original: any) {
  return {
    of(this: any, key: any, ...rest: any[]): unknown {
      if (traced(key))
        return apply(original, this, [cutInCall(key, call.site, `used as a ${what}`), ...rest]);
      // eslint-disable-next-line prefer-rest-params
      return apply(original, this, arguments);
    },
  }.of;
}

export function patchKeyed(patches: Patches, realm: any): void {
  for (const name of ["get", "set", "has", "delete"]) {
    patches.method(realm.Map.prototype, name, (original) => keyed("Map key", original));
  }
  for (const name of ["add", "has", "delete"]) {
    patches.method(realm.Set.prototype, name, (original) => keyed("Set member", original));
  }
}
