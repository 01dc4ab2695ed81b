import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import type { Assets } from "./layout.ts";

export interface BuiltAssets {
  readonly assets: Assets;
  readonly files: ReadonlyMap<string, string>;
}

/** Scripts and style, named by their content so that browsers may keep them for ever. */
export async function buildAssets(directory: string, index: string): Promise<BuiltAssets> {
  const files = new Map<string, string>();
  const add = (name: string, content: string): string => {
    const [stem = "", ending = ""] = name.split(".");
    const hash = createHash("sha256").update(content).digest("hex").slice(0, 10);
    const path = `assets/${stem}-${hash}.${ending}`;
    files.set(path, content);
    return path;
  };
  const script = async (name: string, format: "iife" | "es") =>
    add(`${name}.js`, await bundle(join(directory, `browser/${name}.ts`), format));
  const [theme, site, playground] = await Promise.all([
    script("theme", "iife"),
    script("search", "es"),
    script("playground", "es"),
  ]);
  const style = readFileSync(join(directory, "style.css"), "utf8").replaceAll(/\n\s*/g, "\n");
  return {
    assets: { theme, site, playground, style: add("style.css", style), index: add("index.json", index) },
    files,
  };
}

async function bundle(input: string, format: "iife" | "es"): Promise<string> {
  const build = await rolldown({ input, platform: "browser", logLevel: "warn" });
  const { output } = await build.generate({ format, minify: true, codeSplitting: false });
  await build.close();
  return output[0].code;
}
