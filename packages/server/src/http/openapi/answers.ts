import type { z } from "zod";
import type { Route } from "../route.ts";
import type { Components, Schema } from "./components.ts";
import { reference } from "./components.ts";

/** Successes of a route, by status. */
export function describeAnswers(route: Route, components: Components): Record<string, object> {
  const described = Object.entries(route.answers).map(([status, { description, schema, type }]) => {
    const content = {
      ...(type && { [type]: { schema: { type: type.endsWith("json") ? "object" : "string" } } }),
      ...(schema && { "application/json": { schema: envelope(route, status, schema, components) } }),
      ...(route.stream &&
        status === "200" && { "text/event-stream": { schema: eventSchema(route, components) } }),
    };
    return [status, { description, ...(Object.keys(content).length > 0 && { content }) }] as const;
  });
  return { ...Object.fromEntries(described), ...elsewhere(route) };
}

function eventSchema({ events }: Route, components: Components): Schema {
  return events ? components.of(events) : { type: "string" };
}

/** What only sends browsers elsewhere has no success; what else it says is an error. */
function elsewhere({ answers }: Route): Record<string, object> {
  if (Object.keys(answers).some((status) => status.startsWith("2"))) return {};
  const content = { "application/json": { schema: reference("Error") } };
  return { default: { description: "Anything else is an error", content } };
}

/** `data` of an answer, and the items of a list, are components: by the contract's name, or by that of the operation. */
function envelope(route: Route, status: string, schema: z.ZodType, components: Components): Schema {
  const whole = components.of(schema);
  const properties = whole["properties"] as Record<string, Schema> | undefined;
  const data = properties?.["data"];
  if (!data) return whole;
  const first = Object.keys(route.answers)[0] === status;
  const name = `${route.name[0]!.toUpperCase()}${route.name.slice(1)}${first ? "" : status}`;
  return { ...whole, properties: { ...properties, data: nameData(name, data, components) } };
}

function nameData(name: string, data: Schema, components: Components): Schema {
  if (data["type"] === "array") return nameItems(name, data, components);
  const inner = data["properties"] as Record<string, Schema> | undefined;
  const list = inner?.["data"];
  if (list?.["type"] === "array") {
    const properties = { ...inner, data: nameItems(name, list, components) };
    return components.component(`${name}Page`, { ...data, properties });
  }
  return components.component(`${name}Data`, data);
}

function nameItems(name: string, list: Schema, components: Components): Schema {
  return { ...list, items: components.component(`${name}Item`, list["items"] as Schema) };
}
