/** Limits of what a run carries, which a view has to tell. */

/** Largest tape for which the sweep in the other mode is kept as a second trace. */
export const COUNTERPART_LIMIT = 50_000;
