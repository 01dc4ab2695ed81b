import { createAddressGuard } from "../../src/upstream/address-guard.ts";
import { createGuardedHttp } from "../../src/upstream/guarded-http-client.ts";
import type { GuardedHttp } from "../../src/upstream/guarded-http.ts";
import type { SocketDialer } from "../../src/upstream/socket-dialer.ts";

export interface Outside {
  readonly http: GuardedHttp;
  readonly dial: SocketDialer;
  close(): Promise<void>;
}

/** The way out as the service has it, opened for loopback. */
export function openOutside(allow: readonly string[] = ["127.0.0.0/8"]): Outside {
  const guard = createAddressGuard({ allow });
  const http = createGuardedHttp({ guard });
  return { http, dial: guard, close: () => http.close() };
}
