import * as fc from "fast-check";
import type { FuzzWorkspace } from "./fuzz-workspace.ts";
import { hostileTexts, mostly } from "./hostile-values.ts";
import type { Operation } from "./operations.ts";
import type { RawRequest } from "./raw-client.ts";
import { bodies } from "./request-bodies.ts";
import { contentTypes, extraHeaders, keyHeaders } from "./request-headers.ts";
import { valuesOf } from "./schema-values.ts";

export interface FuzzRequest extends RawRequest {
  /** Whether it is meant for another place than the operation: another method, or an address that is none. */
  readonly strays: boolean;
}

/** Requests to one operation, from a correct one to something that only looks like HTTP. */
export function requestsTo(operation: Operation, workspace: FuzzWorkspace): fc.Arbitrary<FuzzRequest> {
  const own = (workspace.setAside[operation.name] ?? workspace.own).filter((values) =>
    fits(operation, values),
  );
  return fc
    .record({
      method: mostly(operation.method, fc.constantFrom(...operation.otherMethods)),
      values: own.length > 0 ? fc.constantFrom(...own) : fc.constant({}),
      path: pathChanges(operation, workspace),
      query: queries(operation, workspace),
      body:
        operation.method === "GET"
          ? mostly(undefined, bodies(operation, workspace))
          : bodies(operation, workspace),
      key: keyHeaders(operation, workspace),
      type: mostly("application/json", contentTypes),
      extra: mostly([], fc.array(extraHeaders, { maxLength: 3 })),
    })
    .map(({ method, values, path, query, body, key, type, extra }) => {
      const changed = Object.keys(path).length > 0;
      const address = operation.path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) =>
          path[name] ?? (values as Record<string, string>)[name] ?? workspace.foreign[name] ?? name,
      );
      const headers: [string, string][] = [["connection", "close"], ...key];
      if (body && type !== undefined) headers.push(["content-type", type]);
      if (body) headers.push(["content-length", String(body.length)]);
      return {
        method,
        target: address + query,
        headers: [...headers, ...extra],
        ...(body && { body }),
        strays: changed || method !== operation.method || Buffer.byteLength(address + query) > 8_000,
      };
    });
}

function fits({ path }: Operation, values: Readonly<Record<string, string>>): boolean {
  return [...path.matchAll(/\{(\w+)\}/g)].every(([, name]) => values[name!] !== undefined);
}

/** New values for some parameters of the address: somebody else's, or nobody's. */
function pathChanges(
  { parameters }: Operation,
  { foreign }: FuzzWorkspace,
): fc.Arbitrary<Record<string, string>> {
  const names = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
  const changes = names.map((name) => {
    const hostile = fc.oneof(
      hostileTexts.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 7_000)),
      fc.constantFrom("%", "%zz", "%00", "..", "a/b", "a?b", "é", "", "x".repeat(700)),
      ...(foreign[name] === undefined ? [] : [fc.constant(foreign[name])]),
    );
    return fc.record({ [name]: hostile }) as fc.Arbitrary<Record<string, string>>;
  });
  return changes.length === 0 ? fc.constant({}) : mostly({}, fc.oneof(...changes));
}

function queries({ parameters }: Operation, { cursors, foreign }: FuzzWorkspace): fc.Arbitrary<string> {
  const documented = parameters.filter((parameter) => parameter.in === "query");
  const pairs = documented.map(({ name, schema, required }) => {
    const usual = name.includes("rganizationId")
      ? fc.constantFrom("org_one", "org_two")
      : /page\[(after|before)\]/.test(name)
        ? fc.constantFrom(...cursors)
        : valuesOf(schema).map(String);
    const values = fc.oneof(
      { weight: 4, arbitrary: usual },
      { weight: 1, arbitrary: hostileTexts },
      {
        weight: 1,
        arbitrary: fc.constantFrom(foreign["organizationId"]!, ...cursors.map((cursor) => `${cursor}A`)),
      },
    );
    const pair = values.map((value) => `${name}=${encodeURIComponent(value.toWellFormed()).slice(0, 3_000)}`);
    return fc.option(pair, { nil: undefined, freq: required ? 8 : 1 });
  });
  const stray = fc.constantFrom(
    "__proto__[x]=1",
    "constructor=1",
    "a=%",
    "%E0%A4%A=1",
    "&&==&",
    "page[size]=1&page[size]=2",
    "filter[status]=WAITING&filter[status]=nonsense",
    "filter[status][]=WAITING",
    "organizationId=org_one&organizationId=org_foreign",
    "page=%00",
    "q=1&".repeat(1_500),
  );
  return fc
    .tuple(fc.tuple(...pairs), mostly<string | undefined>(undefined, stray))
    .map(([known, more]) => [...known, more].filter((part) => part !== undefined).join("&"))
    .map((text) => (text === "" ? "" : `?${text}`));
}
