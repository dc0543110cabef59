/** What a traced number is to code that does not know it: its primal, with a note at the call in progress. */
import { call } from "../../tape/callsite.js";
import { setConversionHook, type Conversion } from "../../tape/traced.js";
import { cutInCall } from "./notes.js";

const how: Readonly<Record<Conversion, string>> = {
  number: "used as a plain number",
  default: "used as a plain value",
  valueOf: "used as a plain number",
  string: "turned into text",
  toString: "turned into text",
  toJSON: "written as JSON",
  toFixed: "turned into text by toFixed",
  toPrecision: "turned into text by toPrecision",
  toExponential: "turned into text by toExponential",
  toLocaleString: "turned into text by toLocaleString",
};

/** In loaded code an implicit conversion gives the primal and is noted; without the loader it throws. */
export function installConversion(): void {
  setConversionHook((traced, conversion) => cutInCall(traced, call.site, how[conversion]));
}
