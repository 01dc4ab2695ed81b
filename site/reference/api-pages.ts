import { fileURLToPath } from "node:url";
import { finishSliced } from "../../packages/server/src/domain/sliced.ts";
import { buildOpenApi } from "../../packages/server/src/http/openapi/document.ts";
import { version } from "../../packages/server/src/version.ts";
import { renderMarkdown } from "../markdown.ts";
import type { Page } from "../page.ts";
import { allRoutes } from "./routes.ts";
import { type JsonSchema, rowsOf } from "./schema-rows.ts";

interface Media {
  readonly schema?: JsonSchema;
}
interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
}
interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
}
interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, Media>>;
}
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: unknown;
}

const INTRODUCTION = `Send a key as \`Authorization: Bearer <key>\`, \`Authorization: ApiKey <key>\` or \`X-API-Key: <key>\`. Answers are
\`{"success": true, "data": …}\` or \`{"success": false, "error": …, "message": …, "code": …}\`. Made from the OpenAPI document that a
running service has at \`/openapi.json\`.`;

/** Pages for people; a program has no use for them. */
const OF_PAGES = "Console";

/** The API, a page for each of its parts, from the document that programs read. */
export async function apiPages(): Promise<Page[]> {
  const routes = await allRoutes(fileURLToPath(new URL("../../packages/server/src", import.meta.url)));
  return renderApi(finishSliced(buildOpenApi(routes, version)) as OpenApi);
}

function renderApi(document: OpenApi): Page[] {
  const byTag = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags?.[0] ?? "Other";
      const texts = byTag.get(tag) ?? [];
      texts.push(describe(`${method.toUpperCase()} ${path}`, operation, document));
      byTag.set(tag, texts);
    }
  byTag.delete(OF_PAGES);
  return [...byTag].map(([tag, texts]) => {
    const text = `# API: ${tag}\n\n${INTRODUCTION}\n\n${texts.join("\n\n")}\n`;
    const path = `api/${tag.toLowerCase().replaceAll(/\W+/g, "-")}.html`;
    return { ...renderMarkdown(text, (target) => target), path, group: "Programs", label: `API: ${tag}` };
  });
}

function describe(name: string, operation: Operation, document: OpenApi): string {
  const { summary = "", description = "" } = operation;
  return [
    `## \`${name}\``,
    description.startsWith(summary) ? description : `${summary}. ${description}`.trim(),
    parameters(operation, document),
    requestBody(operation, document),
    responses(operation, document),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function parameters({ parameters: all = [] }: Operation, document: OpenApi): string {
  const rows = all
    .map((parameter) => resolve(parameter, document))
    .map(({ name, in: place, required, description = "" }) =>
      row([`\`${name}\`${required ? " *" : ""}`, place ?? "", description]),
    );
  return rows.length === 0 ? "" : table(["parameter", "in", ""], rows);
}

function requestBody({ requestBody: body }: Operation, document: OpenApi): string {
  const [type, media] = Object.entries(body?.content ?? {})[0] ?? [];
  if (type === undefined) return "";
  const rows = rowsOf(media?.schema, document).map(({ name, type: kind, description }) =>
    row([`\`${name}\``, kind, description]),
  );
  return rows.length === 0
    ? `Body: \`${type}\`.`
    : `Body, \`${type}\`:\n\n${table(["field", "type", ""], rows)}`;
}

function responses({ responses: all }: Operation, document: OpenApi): string {
  const rows = Object.entries(all).map(([status, response]) => {
    const { description = "", content = {} } = resolve(response, document);
    return row([
      status,
      Object.keys(content)
        .map((type) => `\`${type}\``)
        .join(" "),
      description,
    ]);
  });
  const [, success] = Object.entries(all).find(([status]) => status.startsWith("2")) ?? [];
  const schema = success && resolve(success, document).content?.["application/json"]?.schema;
  const fields = rowsOf(schema, document).map(({ name, type, description }) =>
    row([`\`${name}\``, type, description]),
  );
  const answer = fields.length === 0 ? "" : `\n\nThe answer:\n\n${table(["field", "type", ""], fields)}`;
  return `${table(["status", "type", ""], rows)}${answer}`;
}

function resolve<Part extends { readonly $ref?: string }>(part: Part, document: OpenApi): Part {
  if (part.$ref === undefined) return part;
  let found: unknown = document;
  for (const key of part.$ref.slice(2).split("/")) found = (found as Record<string, unknown>)[key];
  return found as Part;
}

function table(head: readonly string[], rows: readonly string[]): string {
  return [row(head), `|${head.map(() => "---|").join("")}`, ...rows].join("\n");
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`).replaceAll("\n", " ")).join(" | ")} |`;
}
