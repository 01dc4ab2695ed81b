// Builds the documentation site into site/dist: `npm run site`. Fails where a link is broken.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, brotliCompressSync, gzipSync } from "node:zlib";
import { buildAssets } from "./assets.ts";
import { addressesOf, findBrokenLinks } from "./broken-links.ts";
import { GROUPS } from "./contents.ts";
import { layOut } from "./layout.ts";
import type { Page } from "./page.ts";
import { renderPlayground } from "./playground-page.ts";
import { apiPages } from "./reference/api-pages.ts";
import { clientPage } from "./reference/client-page.ts";
import { buildSearchIndex } from "./search-index.ts";
import { readSourcePages } from "./source-pages.ts";

const directory = fileURLToPath(new URL(".", import.meta.url));
const root = join(directory, "..");

export interface Site {
  /** Every file by its path below the site; images are copied beside them. */
  readonly files: ReadonlyMap<string, string>;
  readonly images: ReadonlyMap<string, string>;
  readonly pages: readonly Page[];
  readonly brokenLinks: readonly string[];
  readonly linkCount: number;
}

export async function renderSite(): Promise<Site> {
  const { pages: fromTexts, images } = readSourcePages(root);
  const expressions = readFileSync(join(root, "docs/expressions.md"), "utf8");
  const place = ({ group }: Page) => (GROUPS as readonly string[]).indexOf(group);
  const pages = [...fromTexts, clientPage(root), ...(await apiPages())]
    .map((page) =>
      page.path === "playground.html" ? { ...page, html: page.html + renderPlayground(expressions) } : page,
    )
    .toSorted((one, other) => place(one) - place(other));
  const { assets, files: assetFiles } = await buildAssets(directory, buildSearchIndex(pages));
  const files = new Map(assetFiles);
  for (const page of pages) files.set(page.path, layOut(page, pages, assets));
  const all = new Map<string, string>([...files, ...[...images.keys()].map((path) => [path, ""] as const)]);
  const linkCount = pages.reduce((count, { path }) => count + addressesOf(files.get(path)!).length, 0);
  return { files, images, pages, brokenLinks: findBrokenLinks(all), linkCount };
}

/** Writes the site, with what browsers take beside each file: br alone, so that the package stays small. */
export function writeSite({ files, images }: Site, target: string): void {
  rmSync(target, { recursive: true, force: true });
  for (const [path, content] of files) {
    const file = join(target, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    if (content.length < 512) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
  }
  for (const [path, source] of images) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    cpSync(join(root, source), join(target, path));
  }
}

if (import.meta.main) {
  const startedAt = performance.now();
  const site = await renderSite();
  writeSite(site, join(directory, "dist"));
  for (const link of site.brokenLinks) console.error(`Broken link: ${link}`);
  const weigh = (ending: string) =>
    [...site.files].reduce(
      (sum, [path, text]) => (path.endsWith(ending) ? sum + gzipSync(text).length : sum),
      0,
    );
  const weights = [".html", ".js", ".css", ".json"].map(
    (ending) => `${ending.slice(1)} ${(weigh(ending) / 1000).toFixed(0)} KB`,
  );
  console.log(
    `Built ${site.pages.length} pages with ${site.linkCount} links (${site.brokenLinks.length} broken) in ${((performance.now() - startedAt) / 1000).toFixed(1)} s; gzip: ${weights.join(", ")}.`,
  );
  if (site.brokenLinks.length > 0) process.exitCode = 1;
}
