import { Site } from "../http/site.ts";
import { Authenticator, sessionProof } from "../operations/auth/authenticator.ts";
import type { Foundation } from "./foundation.ts";

/** Who callers are: by key or by session. */
export interface Entrance {
  readonly authenticator: Authenticator;
  readonly sessions: Authenticator;
  readonly site: Site;
}

export function composeEntrance({ config, pools, clock, shutdown, startDuty }: Foundation): Entrance {
  const nowMs = () => clock.nowMs();
  const authenticator = new Authenticator(pools.api, nowMs);
  const sessions = new Authenticator(pools.api, nowMs, sessionProof);
  const flush = async () => {
    await authenticator.flushLastUsed();
    await sessions.flushLastUsed();
  };
  startDuty({ name: "key-use", intervalMs: 60_000, runOnce: flush });
  shutdown.add("key-use", flush);
  return { authenticator, sessions, site: new Site(config) };
}
