import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

describe("the page at /docs", () => {
  it("shows every route and loads nothing from elsewhere", async () => {
    const { status, body, headers } = await service.get("/docs");
    expect(status).toBe(200);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    for (const route of service.routes) expect(body).toContain(route);
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
