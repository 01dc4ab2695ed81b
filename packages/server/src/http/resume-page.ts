import type { FormField } from "../domain/approval/approval-form.ts";
import type { ShownApproval } from "../operations/runs/show-approval.ts";
import { escapeHtml } from "./escape-html.ts";
import type { Answer } from "./route.ts";

export interface FieldFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** The page behind an approval's link: what is asked, by whom, and the two answers. It needs no script. */
export function resumePage(
  approval: ShownApproval,
  {
    faults = [],
    values = {},
  }: { faults?: readonly FieldFault[]; values?: Readonly<Record<string, unknown>> } = {},
): Answer {
  if (approval.state !== "pending")
    return page(200, stateText(approval), `<h1>${stateText(approval)}</h1>${asker(approval)}`);
  const { message = "", fields = [] } = approval;
  const general = faults.filter(({ path }) => path.length < 2).map(({ message: text }) => faultLine(text));
  const form = fields.map((field) => fieldHtml(field, faults, values)).join("");
  return page(
    faults.length > 0 ? 400 : 200,
    "Your decision is needed",
    `<h1>Your decision is needed</h1><p class="message">${escapeHtml(message)}</p>${asker(approval)}
${general.join("")}<form method="post">${form}<p class="answers"><button name="decision" value="approved">Approve</button>
<button name="decision" value="rejected" formnovalidate>Reject</button></p></form>`,
  );
}

export function thanksPage(decision: string): Answer {
  return page(200, "Thank you", `<h1>Thank you</h1><p>The run was ${escapeHtml(decision)}.</p>`);
}

function stateText({ state }: ShownApproval): string {
  return state === "early"
    ? "There is nothing to decide yet"
    : "This was decided already, or its time is over";
}

function asker({ flowName, organizationName, runId, askedAt, dueAt, assignees }: ShownApproval): string {
  const rows = [
    ["Asked by", `${flowName}, ${organizationName}`],
    ["For", assignees?.join(", ")],
    ["Asked at", askedAt?.toISOString()],
    ["Until", dueAt?.toISOString()],
    ["Run", runId],
  ].flatMap(([name, value]) => (value ? [`<tr><th>${name}</th><td>${escapeHtml(value)}</td></tr>`] : []));
  return `<table>${rows.join("")}</table>`;
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
  return `<p><label for="${name}">${escapeHtml(field.title)}${field.isRequired ? " *" : ""}</label>${inputHtml(field, name, value, given !== undefined)}${hint}${told}</p>`;
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

function page(status: number, title: string, content: string): Answer {
  return {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><link rel="stylesheet" href="/docs/style.css"></head><body class="decision">${content}</body></html>`,
  };
}
