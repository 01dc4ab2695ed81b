import type { Locale } from "@millrace/contract/locales";
import type { SharedRun } from "@millrace/contract/manage/shares";
import { escapeHtml } from "../escape-html.ts";
import type { Answer } from "../route.ts";
import { privatePage, timeHtml } from "./page.ts";
import { pageTexts } from "./texts.ts";

type Node = SharedRun["nodes"][number];

const TONES: Readonly<Record<string, string>> = {
  COMPLETED: "good",
  FAILED: "bad",
  CRASHED: "bad",
  TIMED_OUT: "bad",
  PAUSED: "warn",
  EXECUTING: "busy",
};

/** The page behind a link that shows a run: plain, without scripts, everything escaped. */
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
  const content = `<header class="brand">Millrace</header><main><section class="card"><h1>${t.run} <code>${escapeHtml(run.id)}</code></h1>
<p>${status(run.status)}</p><dl class="facts">${facts.join("")}</dl>
<p class="muted">${t.works} ${timeHtml(run.expiresAt, lang)}.</p></section>
<section class="card"><h2>${t.nodes}</h2><table class="stacked"><thead><tr>${heads.join("")}</tr></thead><tbody>${run.nodes.map((node) => nodeRow(node, lang)).join("")}</tbody></table></section>
<section class="card"><details><summary>${t.edges}</summary><ul>${edges}</ul></details></section></main>`;
  return privatePage(200, { title: `${t.run} ${run.id}`, lang, layout: "wide", content });
}

function status(value: string): string {
  return `<span class="status" data-tone="${TONES[value] ?? "idle"}">${value}</span>`;
}

function nodeRow(node: Node, lang: Locale): string {
  const cells = [
    `<code>${escapeHtml(node.nodeKey)}</code>`,
    escapeHtml(node.type),
    status(node.status),
    timeHtml(node.startedAt, lang),
    node.completedAt ? timeHtml(node.completedAt, lang) : "",
  ];
  const values = (["input", "output", "error"] as const)
    .filter((name) => node[name] !== undefined)
    .map(
      (name) =>
        `<tr><td colspan="5"><details open><summary>${name}</summary><pre tabindex="0">${escapeHtml(JSON.stringify(node[name], null, 2))}</pre></details></td></tr>`,
    );
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>${values.join("")}`;
}
