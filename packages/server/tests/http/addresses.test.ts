import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addRun } from "../support/runs.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addTwoOrganizations } from "../support/workspace.ts";

let service: TestService;
let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;
let runId: string;

beforeAll(async () => {
  service = await startTestService({}, { role: "api" });
  keys = await addTwoOrganizations(service.database.pool);
  runId = await addRun(service.database.pool, { status: "COMPLETED" });
});
afterAll(() => service.stop());

describe("an id in an address", () => {
  const endings = [
    "does_not_exist",
    "x",
    "",
    "%00",
    "ä",
    "a.b",
    "-",
    "0123456789abcdefghijKLMN",
    "x".repeat(700),
  ];
  const runRoutes = [
    ["GET", ""],
    ["GET", "/nodes"],
    ["GET", "/stream"],
    ["POST", "/cancel"],
  ] as const;

  it.each(runRoutes)(
    "of no run is a 404 wherever it starts with run_, and a 400 elsewhere: %s %s",
    async (method, rest) => {
      for (const ending of endings) {
        const { status, body } = await service.send(method, `/api/runs/run_${ending}${rest}`, {
          key: keys.one,
        });
        expect([status, body.code], ending).toEqual([404, "run_not_found"]);
      }
      for (const id of ["abc", "Run_1", "queue_1", "ruN_0123456789abcdefghijKLMN"]) {
        const { status, body } = await service.send(method, `/api/runs/${id}${rest}`, { key: keys.one });
        expect([status, body.code], id).toEqual([400, "invalid_run_id"]);
      }
    },
  );

  it("of no queue item and no session is a 404, whatever it looks like", async () => {
    for (const ending of [...endings, "run_1"].filter(Boolean)) {
      const queueItem = `/api/runs/queue/queue_${ending}?filter[organizationId]=org_one`;
      expect((await service.get(queueItem, keys.one)).body.code).toBe("queue_item_not_found");
      expect((await service.send("DELETE", queueItem, { key: keys.one })).body.code).toBe(
        "queue_item_not_found",
      );
      const session = `/api/agents/agent_one/sessions/session_${ending}`;
      expect((await service.get(`${session}/stream`, keys.one)).body.code).toBe("session_not_found");
    }
  });

  it("is looked at after the parameters that every answer needs", async () => {
    expect((await service.get("/api/runs/queue/none", keys.one)).body.code).toBe("invalid_query");
  });
});

describe("an empty body", () => {
  const types = [
    "application/x-www-form-urlencoded",
    "text/plain",
    "application/xml",
    "multipart/form-data",
    "garbage",
    "",
  ];
  const bodyless = [
    ["POST", () => `/api/runs/${runId}/cancel`, "run_not_cancelable"],
    ["DELETE", () => "/api/runs/queue/queue_x?filter[organizationId]=org_one", "queue_item_not_found"],
  ] as const;

  it.each(bodyless)("has no type, so any is taken: %s", async (method, path, code) => {
    for (const type of types) {
      const headers = { "content-type": type, "content-length": "0" };
      expect((await plain(method, path(), headers)).body.code, type).toBe(code);
    }
    const chunked = { "content-type": "application/xml", "transfer-encoding": "chunked" };
    expect((await plain(method, path(), chunked)).body.code).toBe(code);
  });

  it("that is not empty has to be of a type that is read", async () => {
    const headers = { "content-type": "application/xml", "transfer-encoding": "chunked" };
    expect((await plain("POST", `/api/runs/${runId}/cancel`, headers, "<x/>")).status).toBe(415);
  });
});

describe("HEAD", () => {
  it("answers as GET does, without the body", async () => {
    const paths = [
      "/api/flows",
      "/api/runs",
      `/api/runs/${runId}`,
      `/api/runs/${runId}/stream`,
      "/api/runs/run_x",
      "/healthz",
      "/docs",
    ];
    for (const path of paths) {
      const get = await service.get(path, keys.one);
      const head = await service.send("HEAD", path, { key: keys.one });
      expect([head.status, head.headers.get("content-type")], path).toEqual([
        get.status,
        get.headers.get("content-type"),
      ]);
      if (!path.endsWith("/stream"))
        expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"));
    }
  });

  it("of a stream that goes on ends at once", async () => {
    const waiting = await addRun(service.database.pool, { status: "WAITING" });
    const head = await service.send("HEAD", `/api/runs/${waiting}/stream`, { key: keys.one });
    expect([head.status, head.headers.get("content-type")]).toEqual([
      200,
      "text/event-stream; charset=utf-8",
    ]);
  });

  it("is not there where GET is not", async () => {
    const { status, headers } = await service.send("HEAD", `/api/runs/${runId}/cancel`, { key: keys.one });
    expect([status, headers.get("allow")]).toEqual([405, "POST"]);
    const other = await service.send("PUT", "/api/runs", { key: keys.one });
    expect([other.status, other.headers.get("allow")]).toEqual([405, "POST, GET, HEAD"]);
  });
});

/** Without what `fetch` adds or forbids. */
function plain(method: string, path: string, headers: Record<string, string>, body = "") {
  return new Promise<{ status: number; body: { code?: string } }>((resolve, reject) => {
    const sent = request(
      service.address + path,
      { method, headers: { ...headers, "x-api-key": keys.one } },
      (answer) => {
        let text = "";
        answer.on("data", (piece: Buffer) => (text += piece.toString()));
        answer.on("end", () => resolve({ status: answer.statusCode!, body: JSON.parse(text) as object }));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}
