import { consoleHeaders } from "../console/policy.ts";
import { escapeHtml } from "../escape-html.ts";
import type { Answer } from "../route.ts";

interface PageParts {
  readonly title: string;
  readonly lang: string;
  /** HTML. */
  readonly content: string;
  readonly layout: "narrow" | "wide" | "docs";
}

/** A page that the service writes itself: plain, without scripts, under the console's policy. */
export function pageHtml({ title, lang, content, layout }: PageParts): string {
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)} · Millrace</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/style.css"></head><body><div class="${layout}">${content}</div></body></html>`;
}

/** For one person: the address is a secret, so nobody on the way keeps it or hears of it. */
export function privatePage(status: number, parts: PageParts): Answer {
  return {
    status,
    headers: { ...consoleHeaders, "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
    body: pageHtml(parts),
  };
}

/** A moment as a machine and a person can read it. */
export function timeHtml(moment: string, lang: string): string {
  const words = new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "long", timeZone: "UTC" });
  return `<time datetime="${escapeHtml(moment)}">${escapeHtml(words.format(new Date(moment)))}</time>`;
}
