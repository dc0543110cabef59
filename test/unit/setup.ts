/**
 * Property tests draw the same cases in every run, so that a red run can be repeated and a green one means the same
 * tomorrow. `BACKSWEEP_SEED=random` (or a number) draws others: do that where a room has changed; what is found becomes a
 * test of its own.
 */
import fc from "fast-check";

const wanted = process.env.BACKSWEEP_SEED ?? "20261129";
if (wanted !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted) });
