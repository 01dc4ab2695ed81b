import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Plugin, rolldown } from "rolldown";
import { source } from "./program.ts";

/** Whatever is looked for beside a source file is still found there: threads, children, SQL. */
const atHome: Plugin = {
  name: "at-home",
  transform(code, id) {
    if (!code.includes("import.meta.")) return undefined;
    return code
      .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
      .replaceAll("import.meta.dirname", JSON.stringify(dirname(id)));
  },
};

/**
 * `millrace` in a few files instead of 1,500: it starts with half the processor time, and the tests start it hundreds of
 * times. Returns the file to start.
 */
export async function bundleProgram(directory: string): Promise<string> {
  const bundle = await rolldown({
    input: source,
    platform: "node",
    // Asked for in vain where nobody has installed it.
    external: ["pg-native"],
    plugins: [atHome],
    logLevel: "silent",
  });
  const names = { entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" };
  const { output } = await bundle.write({ dir: directory, format: "esm", ...names });
  await bundle.close();
  return join(directory, output[0].fileName);
}
