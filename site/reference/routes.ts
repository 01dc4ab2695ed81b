import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Route } from "../../packages/server/src/http/route.ts";

/**
 * Every route of the service, without a service: a file in http/routes exports routes, or functions that make them out of
 * what they will use when they are called. Nobody calls them here, so anything will do for that.
 */
export async function allRoutes(serverSource: string): Promise<Route[]> {
  const directory = join(serverSource, "http/routes");
  const files = globSync("**/*.ts", { cwd: directory }).toSorted();
  const routes = new Map<string, Route>();
  for (const file of files) {
    const exported = (await import(pathToFileURL(join(directory, file)).href)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) {
      if (!/Routes?$/.test(name)) continue;
      const made: unknown = typeof value === "function" ? value(anything, anything, anything) : value;
      for (const route of Array.isArray(made) ? (made as unknown[]) : [made])
        if (isRoute(route)) routes.set(`${route.method} ${route.path}`, route);
    }
  }
  return [...routes.values()];
}

function isRoute(value: unknown): value is Route {
  return (
    typeof value === "object" && value !== null && "method" in value && "path" in value && "handle" in value
  );
}

/** Has every property, can be called, read as a list and as a text. */
const anything: never = new Proxy(() => anything, {
  get(_target, key) {
    if (key === Symbol.toPrimitive) return () => "";
    if (key === Symbol.iterator) return () => [][Symbol.iterator]();
    return key === "then" ? undefined : anything;
  },
  apply: () => anything,
}) as never;
