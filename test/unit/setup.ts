/**
 * Property tests draw the same cases in every run, so that a red run can be repeated and a green one means the same
 * tomorrow. `BACKSWEEP_SEED=random` (or a number) draws others: do that where a room has changed; what is found becomes a
 * test of its own.
 *
 * Files of most rooms share a worker and its modules (vitest.config.ts): the call that rewritten code announced last stays
 * announced, so each file begins as a program does.
 */
import fc from "fast-check";
import { beforeAll } from "vitest";
import { call } from "../../engine/tape/callsite.js";

const wanted = process.env.BACKSWEEP_SEED ?? "20261129";
if (wanted !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) });

beforeAll(() => {
  call.site = -1;
  call.scope = null;
});
