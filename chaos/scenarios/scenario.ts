import type { World } from "../world.ts";

export interface Scenario {
  readonly name: string;
  readonly summary: string;
  /** Clients that use the service in every way beside it. */
  readonly clients: number;
  /** Whether fairness and poison are probed after it. */
  readonly probes: boolean;
  /** Breaks things until `endAtMs`; the session heals what is left broken. */
  run(world: World, endAtMs: number): Promise<void>;
}
