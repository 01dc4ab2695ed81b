import { CALLER_PREFIX, UNHEEDED_KEY } from "../../domain/caller-keys.ts";
import { readCallers } from "../../storage/doctor/read-callers.ts";
import type { Pool } from "../../storage/pool.ts";
import type { Finding } from "./finding.ts";

const LOOK_BACK_MS = 10 * 60_000;

/** Limits count by address: behind a proxy that is not trusted all callers are one. */
export async function examineCallers(pool: Pool, nowMs: number): Promise<Finding> {
  const check = "callers";
  const { addresses, unheeded } = await readCallers(pool, {
    sinceMs: Math.floor(nowMs - LOOK_BACK_MS),
    prefix: CALLER_PREFIX,
    unheededKey: UNHEEDED_KEY,
  });
  if (addresses.length === 0) return { check, status: "ok", message: "nobody has called in ten minutes" };
  if (unheeded === 0)
    return { check, status: "ok", message: "come directly, or through proxies that are trusted" };
  const proxies = addresses.toSorted().join(", ");
  const who =
    addresses.length === 1 ? `all callers share the address ${proxies}` : `callers come from ${proxies}`;
  return {
    check,
    status: "warn",
    message: `${who}, and ${unheeded} requests named others in X-Forwarded-For; if that is your proxy, set MILLRACE_TRUST_PROXY to its network, or limits per address hit everybody at once`,
  };
}
