import { existsSync } from "node:fs";
import { join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** Where a browser is looked for, in this order: what is named, then the system's. */
export function findBrowser(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = env.MILLRACE_BROWSER;
  if (named) return named;
  const places = (env.PATH ?? "").split(":");
  return NAMES.flatMap((name) => places.map((place) => join(place, name))).find((path) => existsSync(path));
}
