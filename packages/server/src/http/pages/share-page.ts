import type { Locale } from "@millrace/contract/locales";
import type { SharedRun } from "@millrace/contract/manage/shares";
import { escapeHtml } from "../escape-html.ts";
import type { Answer } from "../route.ts";
import { privatePage, timeHtml } from "./page.ts";
import { pageTexts } from "./texts.ts";
import { counted, type Room, valueHtml } from "./value-html.ts";

type Node = SharedRun["nodes"][number];

const TONES: Readonly<Record<string, string>> = {
  COMPLETED: "good",
  FAILED: "bad",
  CRASHED: "bad",
  TIMED_OUT: "bad",
  PAUSED: "warn",
  EXECUTING: "busy",
};

/** How much of all values together is on the page, and how much of each; the rest is in the file. */
const PAGE_ROOM: Room = { characters: 400_000, items: 10_000 };
const VALUE_ROOM: Room = { characters: 20_000, items: 500 };
const MAX_NODES = 500;

/** The page behind a link that shows a run: plain, without scripts, everything escaped, and never larger than a page is. */
export function sharePage(run: SharedRun, lang: Locale): Answer {
  const t = pageTexts[lang];
  const facts = [
    [t.flow, `<code>${escapeHtml(run.flowId)}</code> @${escapeHtml(run.version)}`],
    [t.created, timeHtml(run.createdAt, lang)],
    [t.started, run.startedAt && timeHtml(run.startedAt, lang)],
    [t.ended, run.completedAt && timeHtml(run.completedAt, lang)],
  ].flatMap(([name, html]) => (html ? [`<dt>${name}</dt><dd>${html}</dd>`] : []));
  const edges = run.edges
    .map(
      ({ source, target, handle }) =>
        `<li><code>${escapeHtml(source)}</code> —${escapeHtml(handle)}→ <code>${escapeHtml(target)}</code></li>`,
    )
    .join("");
  const heads = [t.node, t.type, t.status, t.started, t.ended].map((name) => `<th scope="col">${name}</th>`);
  const room = { ...PAGE_ROOM };
  const rows = run.nodes.slice(0, MAX_NODES).map((node) => nodeRow(node, lang, room));
  const cut = run.nodes.length - rows.length;
  const rest = cut > 0 ? `<p class="muted">${counted(t.more, cut, { lang })}</p>` : "";
  const content = `<header class="brand">Millrace</header><main><section class="card"><h1>${t.run} <code>${escapeHtml(run.id)}</code></h1>
<p>${status(run.status, lang)}</p><dl class="facts">${facts.join("")}</dl>
<p class="muted">${t.works} ${timeHtml(run.expiresAt, lang)}.</p>
<p><a href="?download=json" download>${t.download}</a></p></section>
<section class="card"><h2>${t.nodes}</h2><table class="stacked"><thead><tr>${heads.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>${rest}</section>
<section class="card"><details><summary>${t.edges}</summary><ul>${edges}</ul></details></section></main>`;
  return privatePage(200, { title: `${t.run} ${run.id}`, lang, layout: "wide", content });
}

/** The whole of it, under a name to keep it by. */
export function shareFile(run: SharedRun): Answer {
  return {
    status: 200,
    headers: { "content-disposition": `attachment; filename="${run.id}.json"` },
    body: { success: true, data: run },
  };
}

function status(value: SharedRun["status"] | Node["status"], lang: Locale): string {
  return `<span class="status" data-tone="${TONES[value] ?? "idle"}">${pageTexts[lang][value]}</span>`;
}

function nodeRow(node: Node, lang: Locale, room: Room): string {
  const t = pageTexts[lang];
  // On a phone the times stand below each other, without the names of their columns.
  const cells = [
    `<td><code>${escapeHtml(node.nodeKey)}</code></td>`,
    `<td>${escapeHtml(node.type)}</td>`,
    `<td>${status(node.status, lang)}</td>`,
    `<td data-label="${t.started}">${timeHtml(node.startedAt, lang)}</td>`,
    node.completedAt ? `<td data-label="${t.ended}">${timeHtml(node.completedAt, lang)}</td>` : "<td></td>",
  ];
  const values = (["input", "output", "error"] as const).flatMap((name) =>
    node[name] === undefined
      ? []
      : [
          `<tr><td colspan="5"><details open><summary>${t[name]}</summary><div class="value" tabindex="0" role="group" aria-label="${t[name]}">${valueInside(node[name], lang, room)}</div></details></td></tr>`,
        ],
  );
  return `<tr>${cells.join("")}</tr>${values.join("")}`;
}

/** Each value has a part of the page's room. */
function valueInside(value: unknown, lang: Locale, room: Room): string {
  const { more: moreItems, moreCharacters } = pageTexts[lang];
  const own: Room = {
    characters: Math.min(VALUE_ROOM.characters, room.characters),
    items: Math.min(VALUE_ROOM.items, room.items),
  };
  const before = { ...own };
  const html = valueHtml(value, { lang, more: moreItems, moreCharacters }, own);
  room.characters -= before.characters - own.characters;
  room.items -= before.items - own.items;
  return html;
}
