import type { Actor } from "../../domain/actor.ts";
import type { NodeCatalogue } from "../../domain/flow/catalogue.ts";
import type { IdMaker } from "../../domain/ids.ts";
import type { Principal } from "../../domain/principal.ts";
import type { Pool } from "../../storage/pool.ts";
import type { FlowLibrary } from "../flows/flow-library.ts";

/** What it takes to change flows. */
export interface FlowContext {
  readonly pool: Pool;
  readonly ids: IdMaker;
  readonly catalogue: NodeCatalogue;
  readonly library: Pick<FlowLibrary, "forget">;
}

export interface Caller {
  /** Whose rights decide; none for whoever reaches the database. */
  readonly principal?: Principal | undefined;
  readonly actor: Actor;
}
