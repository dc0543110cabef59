/** Types of the parts of the build that tests use. */
import type { BuildOptions } from "esbuild";

export function nodeBundles(outdir?: string): BuildOptions[];
export function npmBundle(outdir: string): BuildOptions;
export function build(options?: { only?: string | null; types?: boolean }): Promise<void>;
