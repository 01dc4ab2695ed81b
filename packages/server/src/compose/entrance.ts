import type { Config } from "../config/settings.ts";
import { Site } from "../http/site.ts";
import { mcpResource } from "../http/routes/protected-resource.ts";
import { AccessTokens } from "../operations/auth/access-tokens.ts";
import { Authenticator, sessionProof } from "../operations/auth/authenticator.ts";
import { AccessTokenReader } from "../upstream/open-id/access-token.ts";
import { OpenIdProvider } from "../upstream/open-id/provider.ts";
import type { Foundation } from "./foundation.ts";

/** Who callers are: by key, by session or by access token. */
export interface Entrance {
  readonly authenticator: Authenticator;
  readonly sessions: Authenticator;
  /** Where an OpenID Connect provider is configured. */
  readonly provider: OpenIdProvider | undefined;
  readonly accessTokens: AccessTokens | undefined;
  readonly site: Site;
}

export function composeEntrance(
  { config, pools, clock, shutdown, startDuty }: Foundation,
  publicUrl: () => string,
): Entrance {
  const nowMs = () => clock.nowMs();
  const db = pools.api;
  const authenticator = new Authenticator(db, nowMs);
  const sessions = new Authenticator(db, nowMs, sessionProof);
  const flush = async () => {
    await authenticator.flushLastUsed();
    await sessions.flushLastUsed();
  };
  startDuty({ name: "key-use", intervalMs: 60_000, runOnce: flush });
  shutdown.add("key-use", flush);
  const provider = providerOf(config);
  const resource = () => mcpResource(publicUrl());
  const accessTokens =
    provider && new AccessTokens({ db, reader: new AccessTokenReader(provider), resource, nowMs });
  return { authenticator, sessions, provider, accessTokens, site: new Site(config) };
}

function providerOf({ oidcIssuer, oidcClientId, oidcClientSecret }: Config): OpenIdProvider | undefined {
  if (oidcIssuer === undefined || oidcClientId === undefined || oidcClientSecret === undefined)
    return undefined;
  return new OpenIdProvider({ issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret });
}
