import type { Config } from "../config/settings.ts";
import { askOwner } from "../storage/embedded/owner.ts";
import { embeddedPaths } from "../storage/embedded/paths.ts";

export interface FoundService {
  readonly address: string;
  /** What it listens on. */
  readonly host: string;
}

/** The service that is named, or that runs on this data directory, or that the settings describe. */
export async function findService(
  config: Config,
  named: string | undefined,
): Promise<FoundService | undefined> {
  if (named !== undefined && named !== "") {
    const url = new URL(named);
    return { address: url.origin, host: url.hostname };
  }
  if (config.databaseUrl !== undefined) {
    const address = config.publicUrl ?? `http://${config.host}:${config.port}`;
    return { address: new URL(address).origin, host: config.host };
  }
  const owner = await askOwner(embeddedPaths(config.dataDirectory).owner).catch(() => undefined);
  if (owner?.address === undefined) return undefined;
  return { address: owner.address, host: owner.host ?? new URL(owner.address).hostname };
}
