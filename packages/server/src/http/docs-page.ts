import { escapeHtml } from "./escape-html.ts";
import type { Route } from "./route.ts";

/** The API on one page: plain HTML made from the routes, nothing loaded from elsewhere. */
export function buildDocsPage(routes: readonly Route[], version: string): string {
  const tags = [...new Set(routes.map((route) => route.tag))];
  const contents = tags.map((tag) => `<li><a href="#${slug(tag)}">${escapeHtml(tag)}</a></li>`).join("");
  const sections = tags
    .map((tag) =>
      section(
        tag,
        routes.filter((route) => route.tag === tag),
      ),
    )
    .join("");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Millrace API</title><link rel="stylesheet" href="/docs/style.css"></head><body>
<h1>Millrace API</h1><p>Version ${escapeHtml(version)}. Send your key as <code>Authorization: Bearer &lt;API_KEY&gt;</code>,
<code>Authorization: ApiKey &lt;API_KEY&gt;</code> or <code>X-API-Key</code>. Answers are JSON:
<code>{"success":true,"data":…}</code> or <code>{"success":false,"error":…,"message":…,"code":…}</code>.
The machine-readable form is <a href="/openapi.json">/openapi.json</a>.</p><ul>${contents}</ul>${sections}</body></html>`;
}

export const docsStyle = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1f24}
h1,h2,h3{line-height:1.2}h3 code{font-size:1em}code,pre{font-family:ui-monospace,monospace;font-size:.9em;background:#f3f4f6;border-radius:4px;padding:.1em .3em}
table{border-collapse:collapse;width:100%;margin:.5rem 0 1rem}td,th{border-bottom:1px solid #e3e5e8;text-align:left;padding:.3rem .6rem;vertical-align:top}
.decision{max-width:36rem}.decision .message{white-space:pre-wrap;overflow-wrap:anywhere;font-size:1.15em}.decision td{overflow-wrap:anywhere}
.decision label,.decision small,.fault{display:block}.fault{color:#b3261e}.decision input:not([type=checkbox]),.decision select,.decision textarea{box-sizing:border-box;width:100%;font:inherit;padding:.5rem}
.decision button{font:inherit;padding:.7rem 1.4rem;margin:.3rem .6rem .3rem 0;min-height:2.75rem}
@media(prefers-color-scheme:dark){body{background:#14171a;color:#dfe3e6}code,pre{background:#23282d}td,th{border-color:#333a40}a{color:#7db7ff}.fault{color:#ffb4ab}}`;

function section(tag: string, routes: readonly Route[]): string {
  return `<h2 id="${slug(tag)}">${escapeHtml(tag)}</h2>${routes.map(describe).join("")}`;
}

function describe(route: Route): string {
  const parameters = Object.entries(shapeOf(route.query)).map(
    ([name, field]) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>query</td><td>${escapeHtml(field.description ?? "")}</td></tr>`,
  );
  const fields = Object.entries(shapeOf(route.body)).map(
    ([name, field]) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>body</td><td>${escapeHtml(field.description ?? "")}</td></tr>`,
  );
  const answers = Object.entries(route.answers).map(
    ([status, { description }]) =>
      `<tr><td>${status}</td><td colspan="2">${escapeHtml(description)}</td></tr>`,
  );
  return `<h3 id="${route.name}"><code>${route.method} ${escapeHtml(route.path)}</code></h3><p>${escapeHtml(route.summary)}.${route.role ? ` Needs the role <code>${route.role}</code>.` : ""}</p>
<table>${[...parameters, ...fields, ...answers].join("")}</table>`;
}

function shapeOf(schema: unknown): Record<string, { description?: string }> {
  return (schema as { shape?: Record<string, { description?: string }> } | undefined)?.shape ?? {};
}

function slug(text: string): string {
  return text.toLowerCase().replaceAll(/\W+/g, "-");
}
