import { escapeHtml } from "../escape-html.ts";
import { exampleOf } from "./example.ts";
import {
  type Content,
  type OpenApi,
  type Operation,
  type Parameter,
  resolve,
  type Response,
} from "./open-api-types.ts";
import { codesOf, proseHtml, schemaHtml, typeText } from "./schema-html.ts";

/** One verb at one address: who may, what goes in, what comes out, what can go wrong, and a line to try. */
export function operationHtml(document: OpenApi, method: string, path: string, operation: Operation): string {
  const { operationId, summary = "", description, responses } = operation;
  const requestBody = operation.requestBody && resolve(document, operation.requestBody);
  // Most descriptions begin with the summary.
  const words = description?.startsWith(summary) ? description : `${summary}. ${description ?? ""}`;
  const role = operation["x-required-role"];
  const answers = Object.entries(responses).map(([status, one]) => [status, resolve(document, one)] as const);
  const good = answers.filter(([status]) => Number(status) < 400);
  const bad = answers.filter(([status]) => Number(status) >= 400);
  return `<section class="operation" id="${escapeHtml(operationId)}" aria-labelledby="${escapeHtml(operationId)}-name">
<h3 id="${escapeHtml(operationId)}-name"><span class="method" data-method="${method}">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h3>
<p>${proseHtml(words)}</p>${role ? `<p>Needs the role <code>${escapeHtml(role)}</code>.</p>` : ""}${operation.security?.length === 0 ? "<p>Needs no key.</p>" : ""}${parametersHtml(document, operation.parameters ?? [])}${bodyHtml(document, requestBody)}
<h4>Example</h4><pre tabindex="0"><code>${escapeHtml(curlOf(document, method, path, operation))}</code></pre>
<h4>Answers</h4>${good.map(([status, one]) => answerHtml(document, status, one)).join("")}${errorsHtml(document, bad)}</section>`;
}

function parametersHtml(document: OpenApi, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return "";
  const rows = parameters
    .map((one) => resolve(document, one))
    .map(
      ({ name, in: place, required, description = "", schema = {} }) =>
        `<tr><td><code>${escapeHtml(name)}</code>${required ? ' <span class="required">required</span>' : ""}</td><td>${escapeHtml(place)}</td><td class="type">${escapeHtml(typeText(schema))}</td><td>${proseHtml(description)}</td></tr>`,
    );
  return `<h4>Parameters</h4><table class="stacked"><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

function bodyHtml(document: OpenApi, body: Operation["requestBody"]): string {
  const [type, media] = Object.entries(body?.content ?? {})[0] ?? [];
  if (type === undefined) return "";
  const types = Object.keys(body!.content!).join(", ");
  return `<h4>Body <span class="type">${escapeHtml(types)}${body!.required ? ", required" : ""}</span></h4>${media?.schema ? schemaHtml(document, media.schema) : ""}`;
}

function answerHtml(document: OpenApi, status: string, { description = "", content = {} }: Response): string {
  const [type, media] = Object.entries(content)[0] ?? [];
  const head = `<code>${escapeHtml(status)}</code> ${escapeHtml(description)}`;
  if (!media?.schema) return `<p>${head}${type ? ` <span class="type">${escapeHtml(type)}</span>` : ""}</p>`;
  const example = JSON.stringify(statedExample(content) ?? exampleOf(document, media.schema), null, 2);
  const types = Object.keys(content).join(", ");
  const shown = type!.endsWith("json") ? `<pre tabindex="0"><code>${escapeHtml(example)}</code></pre>` : "";
  return `<details><summary>${head} <span class="type">${escapeHtml(types)}</span></summary>${schemaHtml(document, media.schema)}${shown}</details>`;
}

function errorsHtml(document: OpenApi, answers: readonly (readonly [string, Response])[]): string {
  if (answers.length === 0) return "";
  const rows = answers.map(([status, { description = "", content }]) => {
    const codes = codesOf(document, Object.values(content ?? {})[0]?.schema).map(
      (code) => `<code>${escapeHtml(code)}</code>`,
    );
    return `<tr><td><code>${escapeHtml(status)}</code></td><td>${escapeHtml(description)}${codes.length > 0 ? `<br>${codes.join(" ")}` : ""}</td></tr>`;
  });
  return `<details><summary>Errors</summary><table><thead><tr><th scope="col">Status</th><th scope="col">Why</th></tr></thead><tbody>${rows.join("")}</tbody></table></details>`;
}

function statedExample(content: Content): unknown {
  const media = Object.values(content)[0];
  return media?.example ?? Object.values(media?.examples ?? {})[0]?.value;
}

function curlOf(document: OpenApi, method: string, path: string, operation: Operation): string {
  const { parameters = [], security } = operation;
  const requestBody = operation.requestBody && resolve(document, operation.requestBody);
  const query = parameters
    .map((one) => resolve(document, one))
    .filter((one) => one.in === "query" && one.required)
    .map(({ name, schema = {} }) => `${name}=${String(exampleOf(document, schema, name))}`)
    .join("&");
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(exampleOf(document, { type: "string" }, name)).replace(/^text$/, `<${name}>`),
  );
  const lines = [
    `curl${method === "get" ? "" : ` -X ${method.toUpperCase()}`} "$MILLRACE_URL${address}${query && `?${query}`}"`,
    ...(security?.length === 0 ? [] : ['-H "Authorization: Bearer $MILLRACE_API_KEY"']),
  ];
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === "application/json" && media?.schema) {
    const example = statedExample(requestBody!.content!) ?? exampleOf(document, media.schema);
    // Inside of single quotes a shell ends the text at one.
    const body = JSON.stringify(example).replaceAll("'", String.raw`'\''`);
    lines.push(`-H "Content-Type: ${type}"`, `-d '${body}'`);
  }
  return lines.join(" \\\n  ");
}
