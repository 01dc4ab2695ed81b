import type { Config } from "../config/settings.ts";
import { readConsoleFiles } from "../http/console/console-files.ts";
import type { Route } from "../http/route.ts";
import { consoleRoutes } from "../http/routes/console.ts";
import { rootRoute } from "../http/routes/root.ts";
import { siteRoutes } from "../http/routes/site.ts";
import { consoleDirectory, siteDirectory } from "../package-files.ts";

/** The web console and the documentation from the files that were built, and the way there from the root. */
export async function composeConsoleRoutes(config: Config): Promise<Route[]> {
  const hasConsole = config.console === "on";
  const pages = [rootRoute({ hasConsole }), ...siteRoutes(() => readConsoleFiles(siteDirectory))];
  if (!hasConsole) return pages;
  return [...pages, ...consoleRoutes(await readConsoleFiles(consoleDirectory))];
}
