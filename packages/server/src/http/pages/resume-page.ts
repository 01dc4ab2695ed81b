import type { Locale } from "@millrace/contract/locales";
import type { FormField } from "../../domain/approval/approval-form.ts";
import type { ShownApproval } from "../../operations/runs/show-approval.ts";
import { escapeHtml } from "../escape-html.ts";
import type { Answer } from "../route.ts";
import { privatePage, timeHtml } from "./page.ts";
import { pageTexts } from "./texts.ts";

export interface FieldFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The page behind an approval's link: what is asked, by whom, and the two answers. It needs no script. */
export function resumePage(
  approval: ShownApproval,
  lang: Locale,
  {
    faults = [],
    values = {},
  }: { faults?: readonly FieldFault[]; values?: Readonly<Record<string, unknown>> } = {},
): Answer {
  const t = pageTexts[lang];
  const { state, message = "", fields = [] } = approval;
  if (state !== "pending")
    return page(200, lang, t[state], `<h1>${escapeHtml(t[state])}</h1>${asker(approval, lang)}`);
  const general = faults.filter(({ path }) => path.length < 2).map(({ message: text }) => faultLine(text));
  const form = fields.map((field) => fieldHtml(field, faults, values)).join("");
  return page(
    faults.length > 0 ? 400 : 200,
    lang,
    t.needed,
    `<h1>${escapeHtml(t.needed)}</h1><p class="message" tabindex="0" dir="auto">${escapeHtml(message)}</p>${asker(approval, lang)}
${general.join("")}<form method="post">${form}<p class="answers"><button class="primary" name="decision" value="approved">${t.approve}</button>
<button name="decision" value="rejected" formnovalidate>${t.reject}</button></p></form>`,
  );
}

export function thanksPage(decision: "approved" | "rejected", lang: Locale): Answer {
  const t = pageTexts[lang];
  return page(200, lang, t.thanks, `<h1>${t.thanks}</h1><p>${escapeHtml(t[decision])}</p>`);
}

function asker(approval: ShownApproval, lang: Locale): string {
  const t = pageTexts[lang];
  const { flowName, organizationName, runId, askedAt, dueAt, assignees } = approval;
  const time = (moment: Date | undefined) => moment && timeHtml(moment.toISOString(), lang);
  const rows = [
    [t.askedBy, `<bdi>${escapeHtml(flowName)}</bdi>, <bdi>${escapeHtml(organizationName)}</bdi>`],
    [t.for, assignees && escapeHtml(assignees.join(", "))],
    [t.askedAt, time(askedAt)],
    [t.until, time(dueAt)],
    [t.run, escapeHtml(runId)],
  ].flatMap(([name, html]) => (html ? [`<dt>${name}</dt><dd>${html}</dd>`] : []));
  return `<dl class="facts">${rows.join("")}</dl>`;
}

function fieldHtml(
  field: FormField,
  faults: readonly FieldFault[],
  values: Readonly<Record<string, unknown>>,
): string {
  const name = escapeHtml(`data.${field.name}`);
  const given = values[`data.${field.name}`];
  const value = typeof given === "string" ? given : defaultOf(field);
  const fault = faults.find(({ path }) => path[0] === "data" && path[1] === field.name);
  const hint = field.description ? `<small>${escapeHtml(field.description)}</small>` : "";
  const told = fault ? faultLine(fault.message) : "";
  return `<p class="field"><label for="${name}">${escapeHtml(field.title)}${field.isRequired ? " *" : ""}</label>${inputHtml(field, name, value, given !== undefined)}${hint}${told}</p>`;
}

function inputHtml(field: FormField, name: string, value: string, isGiven: boolean): string {
  const { type, options, schema, isRequired } = field;
  const common = `id="${name}" name="${name}"${isRequired && type !== "boolean" ? " required" : ""}`;
  if (options) {
    const choices = options.map(
      (option) =>
        `<option value="${escapeHtml(String(option))}"${String(option) === value ? " selected" : ""}>${escapeHtml(String(option))}</option>`,
    );
    return `<select ${common}><option value=""></option>${choices.join("")}</select>`;
  }
  if (type === "boolean")
    return `<input type="checkbox" ${common}${isGiven || value === "true" ? " checked" : ""}>`;
  const limits = LIMITS.flatMap(([keyword, attribute]) =>
    typeof schema[keyword] === "number" ? [` ${attribute}="${schema[keyword]}"`] : [],
  ).join("");
  if (type === "string" && isLong(schema))
    return `<textarea ${common}${limits} rows="4">${escapeHtml(value)}</textarea>`;
  const kind = type === "string" ? (TEXT_KINDS[String(schema["format"])] ?? "text") : "number";
  const step = type === "number" ? ' step="any"' : "";
  return `<input type="${kind}" ${common}${limits}${step} value="${escapeHtml(value)}">`;
}

function defaultOf({ schema }: FormField): string {
  const stated = schema["default"];
  return typeof stated === "string" || typeof stated === "number" || typeof stated === "boolean"
    ? String(stated)
    : "";
}

const LIMITS = [
  ["minLength", "minlength"],
  ["maxLength", "maxlength"],
  ["minimum", "min"],
  ["maximum", "max"],
] as const;
const TEXT_KINDS: Readonly<Record<string, string>> = { date: "date", email: "email", uri: "url" };
const LONG_TEXT = 200;

function isLong({ maxLength, format }: Readonly<Record<string, unknown>>): boolean {
  return format === undefined && typeof maxLength === "number" && maxLength > LONG_TEXT;
}

function faultLine(text: string): string {
  return `<strong class="fault" role="alert">${escapeHtml(text)}</strong>`;
}

function page(status: number, lang: Locale, title: string, content: string): Answer {
  return privatePage(status, {
    title,
    lang,
    layout: "narrow",
    content: `<header class="brand">Millrace</header><main class="card">${content}</main>`,
  });
}
