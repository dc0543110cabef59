/** The generated float64 sources: path and text. */
export function generated(): Promise<{ path: string; text: string }[]>;
/** Digest of a module's sources and of how they are compiled; that of the kernels if no folder is given. */
export function sourceDigest(folder?: string): string;
/** Writes what is not up to date; returns the paths. With `check` nothing is written. */
export function generate(options?: { check?: boolean }): Promise<string[]>;
