import { z } from "zod";
import type { Route } from "../packages/server/src/http/route.ts";
import { fingerprint, type NamedSchema } from "./wire-bases.ts";

type Schema = z.core.JSONSchema.BaseSchema;

const HEAD = `# Written by \`npm run wire\` from the routes of the service; do not edit.
"""Everything under /manage: a method for each route, under the name that it has in OpenAPI."""

from __future__ import annotations

from datetime import datetime
from typing import AsyncIterator, Literal, Sequence

from .._call import NO_OPTIONS, Call, CallOptions
from .._events import OrganizationEvent
from .._http11 import path_of
`;

const CLASS = `

class AsyncManage:
    """What is around the runs: documents, versions, keys, members, credentials, jobs, who changed what.

    Most of it needs an admin's key. \`organization_id\` may be left out where the key reaches one organization.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
`;

/** The methods, and the types that they need and the contract has no name for. */
export function renderPythonManage(
  routes: readonly Route[],
  all: readonly NamedSchema[],
): { readonly text: string; readonly named: readonly NamedSchema[] } {
  const names = new Map(all.map(({ name, schema }) => [fingerprint(schema), name]));
  const named: NamedSchema[] = [];
  const used = new Set<string>();

  const typeOf = (schema: Schema, name: string, io: NamedSchema["io"]): string => {
    if (schema.type === "array") return `Sequence[${typeOf(schema.items as Schema, `${name}Item`, io)}]`;
    const print = fingerprint(schema);
    const known = names.get(print) ?? name;
    if (!names.has(print)) {
      names.set(print, name);
      named.push({ area: "manage", name, schema, io });
    }
    used.add(known);
    return known;
  };

  const methods = routes
    .filter(({ tag, access }) => tag === "Manage" && access === "key")
    .toSorted((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method))
    .map((route) => renderMethod(route, typeOf));
  const imports = [...used].toSorted().map((name) => `    ${name},`);
  const local =
    "from .organization import follow_organization\nfrom .paging import AsyncPager\nfrom .transport import AsyncTransport\n";
  const text = [
    `${HEAD}from ..types import (\n${imports.join("\n")}\n)\n${local}`,
    CLASS.slice(1),
    ...methods,
  ].join("\n");
  return { text, named };
}

type TypeOf = (schema: Schema, name: string, io: NamedSchema["io"]) => string;

function renderMethod(route: Route, typeOf: TypeOf): string {
  const { method, path, name, summary, role } = route;
  const title = `${name[0]!.toUpperCase()}${name.slice(1)}`;
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => snake(parameter!));
  const body = bodyOf(route, title, typeOf);
  const query = queryOf(route);
  const answer = answerOf(route, title, typeOf);
  const signature = [
    "self",
    ...parameters.map((parameter) => `${parameter}: str`),
    ...(body ? [body.parameter] : []),
    "*",
    ...query.map(({ argument, type }) => `${argument}: ${type} | None = None`),
    "options: CallOptions = NO_OPTIONS",
  ];
  const says = role ? `${summary}. Needs the role \`${role}\`.` : `${summary}.`;
  const where = pathText(path);
  const asked = query.map(({ key, argument }) => `${JSON.stringify(key)}: ${argument}`).join(", ");
  const call = [
    JSON.stringify(method),
    where,
    ...(asked === "" ? [] : ["query"]),
    ...(body ? [`body=${body.value}`] : []),
  ].join(", ");
  return [
    `    ${answer.kind === "page" || answer.kind === "stream" ? "" : "async "}def ${snake(name)}(`,
    ...signature.map((one) => `        ${one},`),
    `    ) -> ${answer.type}:`,
    `        """${says.replaceAll('"', "'")}"""`,
    ...(asked === "" ? [] : [`        query = {${asked}}`]),
    answer.kind === "page" || answer.kind === "stream"
      ? `        return ${MAKES[answer.kind]}(self._transport, ${where}, ${asked === "" ? "{}" : "query"}, options)`
      : `        return ${RETURNS[answer.kind](`Call(${call})`)}`,
    "",
  ].join("\n");
}

type Kind = "page" | "stream" | "list" | "text" | "data";

/** What asks by itself, as often as it takes. */
const MAKES = { page: "AsyncPager", stream: "follow_organization" };

const RETURNS: Record<Exclude<Kind, keyof typeof MAKES>, (call: string) => string> = {
  list: (call) => `(await self._transport.data(${call}, options))["data"]`,
  text: (call) => `await self._transport.text(${call}, options)`,
  data: (call) => `await self._transport.data(${call}, options)`,
};

function answerOf({ answers, stream }: Route, title: string, typeOf: TypeOf): { kind: Kind; type: string } {
  // There is one: the runs of an organization.
  if (stream === true) return { kind: "stream", type: "AsyncIterator[OrganizationEvent]" };
  const good = Object.values(answers).filter(({ schema }) => schema);
  if (good.length === 0) return { kind: "text", type: "str" };
  const datas = good.map(({ schema }) => jsonSchema(schema!, "output").properties!["data"] as Schema);
  const [first] = datas;
  const { data: items, pagination } = (first!.properties ?? {}) as Record<string, Schema | undefined>;
  if (datas.length === 1 && items?.type === "array") {
    const isAlone = Object.keys(first!.properties!).length === 1;
    const item = () => typeOf(items.items as Schema, `${title}Item`, "output");
    if (pagination) return { kind: "page", type: `AsyncPager[${item()}]` };
    if (isAlone) return { kind: "list", type: `Sequence[${item()}]` };
  }
  const types = datas.map((data, at) => typeOf(data, `${title}Answer${at === 0 ? "" : at + 1}`, "output"));
  return { kind: "data", type: [...new Set(types)].join(" | ") };
}

function bodyOf({ body }: Route, title: string, typeOf: TypeOf) {
  if (!body) return undefined;
  const schema = jsonSchema(body, "input");
  const type = typeOf(schema, `${title}Request`, "input");
  const mayBeLeftOut = !schema.required?.length;
  return mayBeLeftOut
    ? { parameter: `body: ${type} | None = None`, value: "body or {}" }
    : { parameter: `body: ${type}`, value: "body" };
}

interface QueryArgument {
  readonly key: string;
  readonly argument: string;
  readonly type: string;
}

function queryOf({ query }: Route): QueryArgument[] {
  if (!query) return [];
  const { properties = {} } = jsonSchema(query, "input");
  return Object.entries(properties as Record<string, Schema & { parameter?: Schema }>).map(
    ([key, { parameter, ...schema }]) => ({
      key,
      argument: argumentOf(key),
      type: argumentType(key, parameter ?? schema),
    }),
  );
}

const MOMENT = /\[(?:from|to)\]$/;

/** As the rest of the client names it: `page[size]` is `page_size`, `filter[createdAt][from]` is `created_from`. */
function argumentOf(key: string): string {
  if (key === "page[size]") return "page_size";
  if (key === "filter[from]") return "from_";
  const created = /^filter\[createdAt\]\[(\w+)\]$/.exec(key)?.[1];
  if (created !== undefined) return created === "period" ? created : `created_${created}`;
  return snake(/\[(\w+)\]$/.exec(key)?.[1] ?? key);
}

function argumentType(key: string, { type, enum: values, multipleOf }: Schema): string {
  if (MOMENT.test(key)) return "datetime | str";
  if (values) return `Literal[${values.map((value) => JSON.stringify(value)).join(", ")}]`;
  return type === "integer" || (type === "number" && multipleOf === 1) ? "int" : "str";
}

function pathText(path: string): string {
  const at = path.indexOf("/{");
  if (at < 0) return JSON.stringify(path);
  const rest = path
    .slice(at + 1)
    .split("/")
    .map((part) => (part.startsWith("{") ? snake(part.slice(1, -1)) : JSON.stringify(part)));
  return `path_of(${[JSON.stringify(path.slice(0, at)), ...rest].join(", ")})`;
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): Schema {
  return z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Schema;
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
