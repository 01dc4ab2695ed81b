import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/*
 * The service runs from its TypeScript sources in a checkout, and compiled in the npm package. Files keep their places;
 * only their ending differs, and where the examples are.
 */
const ending = extname(fileURLToPath(import.meta.url));

/**
 * A file beside the caller that is started as a process or a thread of its own, by its name without an ending.
 *
 * @example fork(entryFile("child", import.meta.url))
 */
export function entryFile(name: string, callerUrl: string): string {
  return fileURLToPath(new URL(`./${name}${ending}`, callerUrl));
}

/** Where all of the service's own files are. */
export const sourceDirectory = fileURLToPath(new URL(".", import.meta.url));

/** The built console; empty or missing where nobody built it. */
export const consoleDirectory = fileURLToPath(
  new URL(ending === ".ts" ? "../../../apps/console/dist" : "../console", import.meta.url),
);

/** The built documentation; missing in a checkout without development dependencies. */
export const siteDirectory = fileURLToPath(
  new URL(ending === ".ts" ? "../../../site/dist" : "../site", import.meta.url),
);

export const demoDirectory = examples("demo");
export const templatesDirectory = examples("templates");

function examples(name: string): string {
  const place = ending === ".ts" ? "../../../examples" : "../examples";
  return fileURLToPath(new URL(`${place}/${name}`, import.meta.url));
}
