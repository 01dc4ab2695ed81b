import type { Cluster } from "./cluster.ts";
import type { Figure } from "./figures.ts";

export interface Bench {
  readonly cluster: Cluster;
  /** How long one round of load lasts. */
  readonly seconds: number;
  /** How often service and reference take turns; the median of the rounds counts. */
  readonly rounds: number;
  /** Set: the service writes CPU profiles there. */
  readonly profileDirectory: string | undefined;
  /** Set: another checkout of the project, with its packages installed, to compare with. */
  readonly against: string | undefined;
  progress(text: string): void;
}

/** A part of the benchmark that can be asked for by name; it makes and removes whatever it needs. */
export interface Section {
  readonly name: string;
  readonly summary: string;
  run(bench: Bench): Promise<Figure[]>;
}
