import type { Config } from "../config/settings.ts";
import { readConsoleFiles } from "../http/console/console-files.ts";
import type { Route } from "../http/route.ts";
import { consoleRoutes } from "../http/routes/console.ts";
import { rootRoute } from "../http/routes/root.ts";
import { consoleDirectory } from "../package-files.ts";

/** The web console from the files that were built, and the way there from the root. */
export async function composeConsoleRoutes(config: Config): Promise<Route[]> {
  const hasConsole = config.console === "on";
  if (!hasConsole) return [rootRoute({ hasConsole })];
  return [rootRoute({ hasConsole }), ...consoleRoutes(await readConsoleFiles(consoleDirectory))];
}
