/** Types of the parts of the build that tests use. */
import type { BuildOptions } from "esbuild";

export function common(outdir?: string): BuildOptions;
export function nodeBundles(outdir?: string): BuildOptions[];
export function npmBundle(outdir: string): BuildOptions;
export function build(options?: { only?: string | null; types?: boolean }): Promise<void>;
/** The npm package, made in `out` from the bundles in `from`. */
export function npmPackage(options: { from: string; out: string; types: boolean }): Promise<void>;
/** Files of the Python grammar, below node_modules. */
export const grammar: readonly string[];
