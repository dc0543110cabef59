/** Folders, as the process that was started first knows them; its children get them by environment. */
import { join } from "node:path";

export interface Places {
  /** the repository */
  readonly root: string;
  /** where everything the benchmark builds or installs goes */
  readonly out: string;
  /** this run's bundles, and the files it makes */
  readonly build: string;
  /** where the peers are installed */
  readonly peers: string;
}

export function places(): Places {
  const root = process.env["BACKSWEEP_BENCH_ROOT"] ?? process.cwd();
  const out = join(root, "out/bench");
  const build = process.env["BACKSWEEP_BENCH_BUILD"] ?? join(out, "run");
  return { root, out, build, peers: join(out, "peers") };
}
