import type { Sliced } from "../../domain/sliced.ts";
import { escapeHtml } from "../escape-html.ts";
import { pageHtml } from "../pages/page.ts";
import type { OpenApi, Operation, Schema } from "./open-api-types.ts";
import { operationHtml } from "./operation-html.ts";
import { proseHtml, schemaHtml } from "./schema-html.ts";

interface Described {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** The API on one page, made from its OpenAPI document alone: whatever that says is here. Nothing is loaded from elsewhere. */
export function* buildDocsPage(document: OpenApi): Sliced<string> {
  const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([method, operation]): Described => ({ method, path, operation })),
  );
  const byTag = Map.groupBy(operations, ({ operation }) => operation.tags?.[0] ?? "Other");
  const schemas = Object.entries((document.components?.["schemas"] ?? {}) as Record<string, Schema>);
  const groups = [...byTag].map(
    ([tag, some]) =>
      `<details><summary>${escapeHtml(tag)}</summary><ul>${some.map(link).join("")}</ul></details>`,
  );
  const sections: string[] = [];
  for (const [tag, some] of byTag) {
    sections.push(`<h2 id="tag-${slug(tag)}">${escapeHtml(tag)}</h2>`);
    for (const { method, path, operation } of some) {
      sections.push(operationHtml(document, method, path, operation));
      yield;
    }
  }
  sections.push(`<h2 id="schemas">Schemas</h2>`);
  for (const [name, schema] of schemas) {
    sections.push(schemaSection(document, name, schema));
    yield;
  }
  const content = `<nav aria-label="Contents"><a class="brand" href="/">Millrace</a>${groups.join("")}<ul><li><a href="#schemas">Schemas</a></li></ul></nav>
<main><h1>Millrace API</h1>
<p>Version ${escapeHtml(document.info.version)}. Send your key as <code>Authorization: Bearer &lt;API_KEY&gt;</code>,
<code>Authorization: ApiKey &lt;API_KEY&gt;</code> or <code>X-API-Key</code>. Answers are JSON:
<code>{"success":true,"data":…}</code> or <code>{"success":false,"error":…,"message":…,"code":…}</code>, and carry
<code>X-Request-Id</code>. The machine-readable form is <a href="/openapi.json">/openapi.json</a>;
guides, every node and examples are in <a href="/docs/">the documentation</a>.</p>
${sections.join("")}</main>`;
  return pageHtml({ title: "API", lang: "en", layout: "docs", content });
}

function link({ operation, method, path }: Described): string {
  return `<li><a href="#${escapeHtml(operation.operationId)}">${escapeHtml(operation.summary ?? `${method} ${path}`)}</a></li>`;
}

function schemaSection(document: OpenApi, name: string, schema: Schema): string {
  const words = schema.description ? `<p>${proseHtml(schema.description)}</p>` : "";
  return `<section class="operation" id="schema-${escapeHtml(name)}"><h3><code>${escapeHtml(name)}</code></h3>${words}${schemaHtml(document, schema)}</section>`;
}

function slug(text: string): string {
  return text.toLowerCase().replaceAll(/\W+/g, "-");
}
