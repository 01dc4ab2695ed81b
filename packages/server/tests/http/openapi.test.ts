import { eventKinds } from "@millrace/contract/event-kinds";
import { Ajv2020 } from "ajv/dist/2020.js";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allRoutes } from "../../../../site/reference/routes.ts";
import { examples } from "../../src/http/openapi/examples.ts";
import { startTestService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

describe("the OpenAPI document", () => {
  it("names every route of the router and no other", async () => {
    const { body } = await service.get("/openapi.json");
    const documented = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.sort()).toEqual([...service.routes].sort());
  });

  it("is what the documentation site describes, which finds the routes without a service", async () => {
    const routes = await allRoutes(fileURLToPath(new URL("../../src", import.meta.url)));
    const found = routes.map(({ method, path }) => `${method} ${path}`);
    expect(found).toEqual(expect.arrayContaining([...service.routes]));
    // Those that are there with a provider to sign in at.
    const others = found.filter((route) => !service.routes.includes(route));
    expect(others.filter((route) => !/\/sessions\/oidc|\/oauth-protected-resource/.test(route))).toEqual([]);
  });

  it("is OpenAPI 3.1 with unique operation ids and a response for every operation", async () => {
    const { body } = await service.get("/openapi.json");
    expect(body.openapi).toBe("3.1.0");
    const operations = Object.values(
      body.paths as Record<string, Record<string, { operationId: string; responses: object }>>,
    ).flatMap(Object.values);
    const names = operations.map((operation) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const operation of operations) expect(Object.keys(operation.responses).length).toBeGreaterThan(0);
  });
});

describe("what OpenAPI names", () => {
  const documentOf = async () => (await service.get("/openapi.json")).body;

  it("are the contract's entities: no answer or body has an object without a name", async () => {
    const { paths, components } = await documentOf();
    for (const name of [
      "Flow",
      "Run",
      "RunDetail",
      "RunCreated",
      "QueueItem",
      "Agent",
      "Session",
      "TriggerRequest",
    ])
      expect(components.schemas).toHaveProperty(name);
    const unnamed: string[] = [];
    for (const [path, methods] of Object.entries<Record<string, any>>(paths))
      for (const [method, { requestBody, responses }] of Object.entries(methods)) {
        const body = requestBody?.content["application/json"]?.schema;
        if (body?.properties) unnamed.push(`${method} ${path} body`);
        for (const [status, { content }] of Object.entries<any>(responses)) {
          const data = content?.["application/json"]?.schema?.properties?.data;
          const items = data?.items ?? data;
          if (items?.properties && data?.type !== undefined && !items.$ref)
            unnamed.push(`${method} ${path} ${status}`);
        }
      }
    expect(unnamed).toEqual([]);
  });

  it("exists, and is used", async () => {
    const text = JSON.stringify(await documentOf());
    const { components } = JSON.parse(text);
    const used = new Set(
      [...text.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)].map(([, kind, name]) => `${kind}/${name}`),
    );
    const named = ["schemas", "headers", "parameters"].flatMap((kind) =>
      Object.keys(components[kind]).map((name) => `${kind}/${name}`),
    );
    expect([...used].toSorted()).toEqual(named.toSorted());
  });

  it("has examples that are right", async () => {
    const { components } = await documentOf();
    const ajv = new Ajv2020({ strict: false, formats: { "date-time": true } });
    ajv.addSchema({ $id: "https://millrace.test/", components });
    const shown = Object.entries<any>(components.schemas).filter(([, { examples }]) => examples);
    expect(shown.map(([name]) => name)).toEqual(Object.keys(examples).toSorted());
    for (const [name, schema] of shown) {
      const validate = ajv.compile({ $ref: `https://millrace.test/#/components/schemas/${name}` });
      expect(validate(schema.examples[0]), `${name} ${JSON.stringify(validate.errors)}`).toBe(true);
    }
  });

  it("tells of streams, of what may be sent again, of limits, and of every event that is sent", async () => {
    const { paths, webhooks } = await documentOf();
    const stream = paths["/api/runs/{runId}/stream"].get;
    expect(stream.responses[200].content["text/event-stream"].schema).toEqual({
      $ref: "#/components/schemas/RunStreamEvent",
    });
    const headersOf = ({ parameters }: { parameters: { name?: string; $ref?: string }[] }) =>
      parameters.map(({ name, $ref }) => name ?? $ref);
    expect(headersOf(stream)).toEqual([
      "runId",
      "include",
      "Last-Event-ID",
      "#/components/parameters/Locale",
    ]);
    const trigger = paths["/api/runs"].post;
    expect(headersOf(trigger)).toContain("Idempotency-Key");
    expect(Object.keys(trigger.responses[201].headers)).toContain("X-RateLimit-Remaining");
    expect(Object.keys(trigger.responses[429].headers)).toContain("Retry-After");
    expect(trigger.responses[500].content["application/json"].schema.$ref).toMatch(/Error$/);
    expect(Object.keys(webhooks)).toEqual([...eventKinds]);
    expect(webhooks["run.completed"].post.requestBody.content["application/json"].schema.$ref).toMatch(
      /RunEvent$/,
    );
  });
});

describe("the page at /docs", () => {
  it("shows every route and loads nothing from elsewhere", async () => {
    const { status, body, headers } = await service.get("/docs");
    expect(body).toContain("an <code>api</code> process answers requests");
    expect(status).toBe(200);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    const shown = new Set(
      [...(body as string).matchAll(/data-method="\w+">(\w+)<\/span> <code>([^<]+)</g)].map(
        ([, method, path]) => `${method} ${path}`,
      ),
    );
    expect(service.routes.filter((route) => !shown.has(route))).toEqual([]);
    // Types, limits, what a body holds, what can go wrong, and a line to try.
    for (const text of [
      "list of string",
      "at most 100",
      '"flowId":"flow_hello"',
      "Errors",
      "$MILLRACE_URL/api/runs",
    ])
      expect(body).toContain(text.replaceAll('"', "&quot;"));
    expect(body).not.toMatch(/(src|href)="https?:/);
  });
});

describe("the probes", () => {
  it("answer alive, ready, and figures", async () => {
    expect((await service.get("/healthz")).body).toEqual({ status: "ok" });
    expect((await service.get("/readyz")).body).toEqual({ status: "ready" });
    expect((await service.get("/metrics")).body).toContain("millrace_http_request_seconds_bucket");
  });
});
