import { GROUPS } from "./contents.ts";
import { escapeHtml } from "./html.ts";
import type { Page } from "./page.ts";
import { relative } from "./source-pages.ts";

export interface Assets {
  readonly style: string;
  readonly theme: string;
  readonly site: string;
  readonly playground: string;
  readonly index: string;
}

/** A page in its frame: no inline script, no inline style, nothing from elsewhere. */
export function layOut(page: Page, pages: readonly Page[], assets: Assets): string {
  const to = (path: string) => escapeHtml(relative(page.path, path));
  const title = page.path === "index.html" ? "Millrace" : `${escapeHtml(page.title)} · Millrace`;
  const playground =
    page.path === "playground.html" ? `<script type="module" src="${to(assets.playground)}"></script>` : "";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title><link rel="stylesheet" href="${to(assets.style)}"><link rel="icon" href="data:,">
<script src="${to(assets.theme)}"></script><script type="module" src="${to(assets.site)}"></script>${playground}</head>
<body data-root="${to("index.html").replace(/index\.html$/, "")}" data-index="${to(assets.index)}">
<a class="skip" href="#main">To the text</a>
<header><a class="brand" href="${to("index.html")}">Millrace</a><a class="to-contents" href="#contents">Contents</a>
<div class="search" role="search"><label class="hidden" for="query">Search the documentation</label>
<input id="query" type="search" placeholder="Search ( / )" autocomplete="off" spellcheck="false" aria-controls="results">
<ul id="results" class="results" hidden></ul><p id="found" class="hidden" role="status"></p></div>
<button id="theme" type="button">Dark</button></header>
<div class="frame"><main id="main" tabindex="-1">${withContentsOfPage(page)}${neighbours(page, pages, to)}
<footer><p>A running service describes itself: <a href="/docs">API</a>, <a href="/openapi.json">OpenAPI</a>, <a href="/console">console</a>.</p></footer></main>
<nav id="contents" aria-label="Documentation" tabindex="-1">${contents(page, pages, to)}</nav></div></body></html>
`;
}

type To = (path: string) => string;

function contents(page: Page, pages: readonly Page[], to: To): string {
  return GROUPS.map((group) => {
    const items = pages
      .filter((other) => other.group === group && !other.unlisted)
      .map(
        (other) =>
          `<li><a href="${to(other.path)}"${other === page ? ' aria-current="page"' : ""}>${escapeHtml(nameOf(other))}</a></li>`,
      );
    return `<h2>${group}</h2><ul>${items.join("")}</ul>`;
  }).join("");
}

/** Behind the title, where there is much to choose from. */
function withContentsOfPage({ html, headings }: Page): string {
  const chapters = headings.filter(({ depth }) => depth === 2);
  if (chapters.length < 4) return html;
  const items = chapters.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`);
  const list = `<details class="onpage"><summary>On this page</summary><ul>${items.join("")}</ul></details>`;
  return html.replace("</h1>", () => `</h1>${list}`);
}

function neighbours(page: Page, pages: readonly Page[], to: To): string {
  const listed = pages.filter(({ unlisted, path }) => !unlisted && path !== "index.html");
  const place = listed.indexOf(page);
  if (place === -1) return "";
  const link = (other: Page | undefined, before: string, after: string) =>
    other ? `<a href="${to(other.path)}">${before}${escapeHtml(nameOf(other))}${after}</a>` : "<span></span>";
  return `<div class="next">${link(listed[place - 1], "← ", "")}${link(listed[place + 1], "", " →")}</div>`;
}

function nameOf({ label, title }: Page): string {
  return label ?? title;
}
