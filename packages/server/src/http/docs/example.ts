import { type OpenApi, resolve, type Schema } from "./open-api-types.ts";

const MAX_DEPTH = 6;

/** A value that fits a schema, for people to start from: stated examples first, then what the names suggest. */
export function exampleOf(document: OpenApi, given: Schema, name = "", depth = 0): unknown {
  const schema = resolve(document, given);
  const stated = schema.example ?? schema.examples?.[0] ?? schema.const ?? schema.default;
  if (stated !== undefined) return stated;
  if (schema.enum) return schema.enum[0];
  if (depth > MAX_DEPTH) return null;
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (choice) return exampleOf(document, choice, name, depth + 1);
  if (schema.allOf)
    return Object.assign(
      {},
      ...schema.allOf.map((part) => exampleOf(document, part, name, depth + 1)),
    ) as object;
  const type = [schema.type ?? []].flat().find((one) => one !== "null");
  if (schema.properties) return objectOf(document, schema, depth);
  if (type === "array" || schema.items)
    return schema.items ? [exampleOf(document, schema.items, name, depth + 1)] : [];
  if (type === "object") return {};
  if (type === "integer" || type === "number") return schema.minimum ?? 1;
  if (type === "boolean") return true;
  return type === "string" ? textOf(name, schema) : {};
}

/** What has to be there; where nothing has to, the first few. */
function objectOf(document: OpenApi, { properties = {}, required = [] }: Schema, depth: number): object {
  const names = Object.keys(properties);
  const shown = required.length > 0 ? names.filter((name) => required.includes(name)) : names.slice(0, 3);
  return Object.fromEntries(
    shown.map((name) => [name, exampleOf(document, properties[name]!, name, depth + 1)]),
  );
}

const NAMED: Readonly<Record<string, string>> = {
  flowId: "flow_hello",
  runId: "run_0Qx1",
  organizationId: "org_demo",
  agentId: "agent_helper",
  sessionId: "session_0Qx1",
  queueId: "queue_0Qx1",
  keyId: "key_0Qx1",
  email: "ada@example.com",
  url: "https://example.com/hook",
  message: "Hello",
  name: "Ada",
  version: "20260101.1",
  role: "member",
};

function textOf(name: string, { format }: Schema): string {
  if (format === "date-time") return "2026-01-01T12:00:00.000Z";
  return NAMED[name] ?? "text";
}
