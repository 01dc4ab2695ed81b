import { errorCatalogue } from "@millrace/contract/errors";
import type { Locale } from "@millrace/contract/locales";
import type { Refusal } from "../../domain/refusal.ts";
import { refusalText } from "../../domain/refusal-text.ts";
import { escapeHtml } from "../escape-html.ts";
import type { Answer } from "../route.ts";
import { privatePage } from "./page.ts";
import { pageTexts } from "./texts.ts";

/** For a person who followed a link: what is wrong with it, and whom to ask. */
export function refusalPage(refusal: Refusal, lang: Locale, requestId: string): Answer {
  const { status, error } = errorCatalogue[refusal.code];
  const { askSender, request } = pageTexts[lang];
  return privatePage(status, {
    title: error[lang],
    lang,
    layout: "narrow",
    content: `<header class="brand">Millrace</header><main class="card"><h1>${escapeHtml(error[lang])}</h1>
<p>${escapeHtml(refusalText(refusal, lang))}.</p>${status === 404 ? `<p>${askSender}</p>` : ""}<p class="muted">${request} <code>${escapeHtml(requestId)}</code></p></main>`,
  });
}
