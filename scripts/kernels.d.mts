/** The generated float64 sources: path and text. */
export function generated(): Promise<{ path: string; text: string }[]>;
/** Digest of the module's sources and of how they are compiled. */
export function sourceDigest(): string;
/** Writes what is not up to date; returns the paths. With `check` nothing is written. */
export function generate(options?: { check?: boolean }): Promise<string[]>;
