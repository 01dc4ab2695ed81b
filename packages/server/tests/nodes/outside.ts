import { createAddressGuard } from "../../src/upstream/address-guard.ts";
import { createGuardedHttp } from "../../src/upstream/guarded-http/client.ts";
import type { GuardedHttp } from "../../src/upstream/guarded-http/guarded-http.ts";
import { createForeignServers, type ForeignServers } from "../../src/upstream/foreign/foreign-servers.ts";

export interface Outside {
  readonly http: GuardedHttp;
  readonly foreign: ForeignServers;
  close(): Promise<void>;
}

/** The way out as the service has it, opened for loopback. */
export function openOutside(allow: readonly string[] = ["127.0.0.0/8"]): Outside {
  const guard = createAddressGuard({ allow });
  const http = createGuardedHttp({ guard });
  const foreign = createForeignServers({ dial: guard });
  const close = async () => {
    await foreign.close();
    await http.close();
  };
  return { http, foreign, close };
}
