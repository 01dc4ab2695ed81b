import { toConfig } from "../config/load-config.ts";
import type { CliDependencies } from "./cli.ts";
import { UsageError } from "./cli.ts";
import { findService } from "./find-service.ts";
import { readProfiles } from "./profile-store.ts";

export interface ServiceChoice {
  readonly url?: string;
  readonly key?: string;
  readonly profile?: string;
}

export interface ResolvedService {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** How it was found, where nobody named it on this command line or in the environment. */
  readonly found?: string;
}

/** Where `start` listens on this machine unless told otherwise. */
export const EXAMPLE_URL = "http://127.0.0.1:4000";

/** What a service that is started with these settings answers to, on this machine. */
function localUrl(env: CliDependencies["env"]): string {
  try {
    return `http://127.0.0.1:${toConfig({ ...env, DATABASE_URL: "" }).port}`;
  } catch {
    return EXAMPLE_URL;
  }
}

/** Which service a command talks to: the one that is named, that of a profile, the one that runs on the data directory. */
export async function resolveService(
  { env }: Pick<CliDependencies, "env">,
  { url, key, profile }: ServiceChoice,
): Promise<ResolvedService> {
  const apiKey = key ?? (env["MILLRACE_API_KEY"] || undefined);
  const named = url ?? (env["MILLRACE_URL"] || undefined);
  const asked = profile ?? (env["MILLRACE_PROFILE"] || undefined);
  if (named !== undefined && asked === undefined) return { baseUrl: named, apiKey };
  const { current, profiles } = await readProfiles(env);
  const name = asked ?? current;
  const known = name === undefined ? undefined : profiles[name];
  if (asked !== undefined && !known)
    throw new UsageError(`There is no profile "${asked}"; see: millrace profiles list`);
  if (known)
    return { baseUrl: named ?? known.url, apiKey: key ?? known.key ?? apiKey, found: `profile ${name}` };
  const running = await findService(toConfig({ ...env, DATABASE_URL: "" }), undefined).catch(() => undefined);
  if (running) return { baseUrl: running.address, apiKey, found: "runs on the data directory" };
  return { baseUrl: localUrl(env), apiKey };
}
