import type { ApiClient } from "./api-client.ts";
import type { EffectServer } from "./effect-server.ts";
import type { EventReceiver } from "./event-receiver.ts";
import type { FaultLog } from "./fault-log.ts";
import type { Fleet } from "./fleet.ts";
import type { History } from "./history.ts";
import type { Load } from "./load.ts";
import type { ChaosPostgres } from "./postgres.ts";
import type { Random } from "./random.ts";
import type { StallMeter } from "./stall-meter.ts";

/** Everything a fault or a scenario may lay hands on. */
export interface World {
  readonly random: Random;
  readonly postgres: ChaosPostgres;
  readonly fleet: Fleet;
  readonly effects: EffectServer;
  readonly receiver: EventReceiver;
  readonly history: History;
  readonly client: ApiClient;
  readonly load: Load;
  readonly faults: FaultLog;
  readonly stalls: StallMeter;
  /** Aborted when the run is interrupted. */
  readonly interrupted: AbortSignal;
  readonly progress: (text: string) => void;
}
