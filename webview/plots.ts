/** The second script: the pictures that need the plotting library. Loaded when one of them is wanted first. */
import type { Tab } from "../engine/protocol.js";
import { MemoryPicture } from "./memory/memory.js";
import { NumericsPicture } from "./numerics/numerics.js";
import { SchedulesPicture } from "./schedules/schedules.js";
import type { Picture, Services } from "./tabs.js";

const pictures = {
  memory: MemoryPicture,
  schedules: SchedulesPicture,
  numerics: NumericsPicture,
} as const;

export function makePicture(tab: Exclude<Tab, "graph">, host: HTMLElement, services: Services): Picture {
  return new pictures[tab](host, services);
}
