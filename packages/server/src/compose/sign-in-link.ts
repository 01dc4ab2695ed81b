import type { Config } from "../config/settings.ts";
import { isLoopback } from "../domain/loopback.ts";
import { makeSignInLink } from "../operations/sessions/make-sign-in-link.ts";
import type { Database } from "../storage/open-database.ts";

/** Whoever can read what this process prints owns the machine, so the link is theirs; never where others can listen. */
export async function printSignInLink(
  { pool }: Database,
  { address, config }: { readonly address: string; readonly config: Config },
  print: (text: string) => void,
): Promise<void> {
  if (config.console === "off" || !isLoopback(config.host)) return;
  const link = await makeSignInLink(pool, address);
  if (link) print(`Sign in to the console, once and within ten minutes:\n  ${link.url}\n`);
}
