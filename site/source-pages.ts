import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join, posix } from "node:path";
import { CONTENTS, type Group, OTHER_GROUP } from "./contents.ts";
import { highlight } from "./highlight.ts";
import { escapeHtml } from "./html.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Page } from "./page.ts";

interface Source {
  readonly source: string;
  readonly group: Group;
  readonly label?: string;
}

const IMAGES = new Set([".png", ".svg", ".jpg", ".webp"]);

export interface SourcePages {
  readonly pages: readonly Page[];
  /** Images that the pages show, by their path below the site and in the checkout. */
  readonly images: ReadonlyMap<string, string>;
}

/** Pages out of the texts of the checkout: all of docs/, what CONTENTS names, and every file that one of them links to. */
export function readSourcePages(root: string): SourcePages {
  const listed = new Set(CONTENTS.map(({ source }) => source));
  const others = globSync("docs/**/*.md", { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((source) => !listed.has(source))
    .toSorted()
    .map((source) => ({ source, group: OTHER_GROUP }));
  const sources: readonly Source[] = [...CONTENTS, ...others];
  const places = new Map(sources.map(({ source }) => [source, placeOf(source)]));
  const images = new Map<string, string>();
  const examples = new Map<string, string>();

  const pages = sources.map(({ source, group, label }): Page => {
    const path = places.get(source)!;
    const [file = ""] = source.split("#");
    const resolve = (target: string): string | undefined => {
      if (/^(?:https?|mailto):/.test(target) || target.startsWith("#") || target.startsWith("/"))
        return target;
      const [name = "", anchor = ""] = target.split("#");
      const meant = posix.normalize(posix.join(dirname(file), name));
      const hash = anchor && `#${anchor}`;
      const place = places.get(meant) ?? places.get(`${meant}#${anchor}`);
      if (place) return relative(path, place) + hash;
      if (!existsSync(join(root, meant))) throw new Error(`${source}: ${target} leads nowhere`);
      if (!statSync(join(root, meant)).isFile()) return undefined;
      const isImage = IMAGES.has(extname(meant));
      const copy = isImage ? meant.replace(/^docs\//, "") : `${meant.replace(/\.\w+$/, "")}.html`;
      (isImage ? images : examples).set(copy, meant);
      return relative(path, copy);
    };
    const rendered = renderMarkdown(textOf(root, source), resolve);
    return { ...rendered, path, group, ...(label !== undefined && { label }) };
  });
  const shown = [...examples].map(([path, file]) => examplePage(path, file, join(root, file)));
  return { pages: [...pages, ...shown], images };
}

function textOf(root: string, source: string): string {
  const [file = "", heading] = source.split("#");
  const text = readFileSync(join(root, file), "utf8");
  if (heading === undefined) return text;
  const section = new RegExp(`^## ${heading}\\n([\\s\\S]*?)(?=^## |(?![\\s\\S]))`, "m").exec(text)?.[1];
  if (section === undefined) throw new Error(`${file} has no section ${heading}`);
  return `# ${heading}\n${section}`;
}

function placeOf(source: string): string {
  const [file = "", heading] = source.split("#");
  if (file === "site/home.md") return "index.html";
  if (heading !== undefined) return `${heading.toLowerCase()}.html`;
  return file
    .replace(/^docs\//, "")
    .replace(/\.md$/, ".html")
    .toLowerCase();
}

/** A document that a guide speaks of, as it stands in the checkout. */
function examplePage(path: string, file: string, absolute: string): Page {
  const text = readFileSync(absolute, "utf8");
  const code = highlight(text, extname(file).slice(1));
  return {
    path,
    title: file,
    group: "Guides",
    unlisted: true,
    html: `<h1><code>${escapeHtml(file)}</code></h1><pre tabindex="0"><code>${code}</code></pre>`,
    headings: [],
    sections: [{ id: "", title: "", text }],
  };
}

/** The way from one page to another, so that the site works wherever it is put. */
export function relative(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to) || posix.basename(to);
}
