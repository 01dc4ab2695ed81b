import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseForm } from "../../src/http/body.ts";
import { JsonFault, parseJson } from "../../src/domain/json.ts";
import {
  deepList,
  formOfNames,
  formOfOneName,
  hugeNumberBody,
  manyForms,
  manyKeys,
  manyRows,
  manyTexts,
} from "../support/hostile-inputs.ts";
import { hello, node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";

let service: RunTestService;
let link: string;

beforeAll(async () => {
  service = await startRunService({ concurrency: 10 });
  await service.flow("flow_hello", hello);
  await service.flow("flow_ask", {
    nodes: [
      { id: "start", type: "start", data: {} },
      node("ask", "approval", { message: "Sure?", timeout: "2d" }),
      { id: "done", type: "return", data: { inputs: { value: { answer: "{{ nodes.ask }}" } } } },
    ],
    edges: [
      { id: "e0", source: "start", target: "ask" },
      { id: "e1", source: "ask", sourceHandle: "approved", target: "done" },
    ],
  });
  link = await newLink();
});
afterAll(() => service.stop());

async function newLink(): Promise<string> {
  const { pause } = await service.untilStatus(await service.begin("flow_ask"), "PAUSED");
  return new URL(pause.resumeUrl).pathname;
}

const form = { "content-type": "application/x-www-form-urlencoded" };
const json = { "content-type": "application/json" };
const trigger = (body: string) =>
  service.send("POST", "/api/runs", { key: service.key, body, headers: json });
const withData = (data: unknown) => JSON.stringify({ payload: { flowId: "flow_hello", data: { data } } });

/** Sends a head that promises a body, and never sends one: what is answered was decided without it. */
async function statusBeforeBody(path: string, headers: Record<string, string>): Promise<number> {
  const { hostname, port } = new URL(service.address);
  const socket = connect(Number(port), hostname);
  const lines = Object.entries({ host: "x", "content-length": "100000", ...headers });
  socket.write(
    `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
  );
  const [chunk] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return Number(chunk.toString().split(" ")[1]);
}

describe("a caller without the right to call", () => {
  it("is refused before its body is read", async () => {
    const wrong = `${link.slice(0, -2)}zz`;
    expect(await statusBeforeBody(wrong, form)).toBe(404);
    expect(await statusBeforeBody(`/app/webhooks/millrace/flow_hello/${"0".repeat(43)}`, form)).toBe(401);
    expect(await statusBeforeBody("/api/runs", json)).toBe(401);
    expect(await statusBeforeBody("/api/agents/a/sessions/session_1/messages", json)).toBe(401);
    expect((await service.get(wrong)).status).toBe(404);
  });
});

describe("a form", () => {
  it("has a limit of fields, whether they have one name or many", async () => {
    for (const body of [formOfOneName(100_000), formOfNames(2_001)]) {
      const answer = await service.send("POST", link, { body, headers: form });
      expect(answer.status).toBe(400);
      expect(answer.body.issues[0].message).toBe("must not have more than 2000 fields");
    }
  });

  it("keeps every value of a name that comes again", () => {
    expect(parseForm("a=1&b=2&a=3&a=4&c=")).toEqual({ a: ["1", "3", "4"], b: "2", c: "" });
    expect(() => parseForm("__proto__=1")).toThrow(JsonFault);
    expect(() => parseForm("a=%00")).toThrow(JsonFault);
  });

  it("still answers an approval", async () => {
    const fresh = await newLink();
    expect((await service.send("POST", fresh, { body: "decision=approved", headers: form })).status).toBe(
      200,
    );
  });
});

describe("a JSON body", () => {
  it.each<[string, string, RegExp]>([
    ["240,000 keys in one object", withData(manyKeys(240_000)), /25000 different keys/],
    ["30,000 objects of as many forms", withData(manyForms(30_000)), /25000 different keys/],
    ["more texts than there is room for", withData(manyTexts(100_001)), /100000 values/],
    ["65 levels", withData(0).replace("0", deepList(65)), /nested deeper than 64 levels/],
  ])("is 400 with %s", async (_, body, message) => {
    const answer = await trigger(body);
    expect(answer.status).toBe(400);
    expect(answer.body.issues[0].message).toMatch(message);
  });

  it("may hold a large table, and it arrives whole", async () => {
    const rows = manyRows(4_500, 20);
    const run = await service.begin("flow_hello", { payload: { data: { rows } } });
    expect((await service.untilEnd(run)).payload.data.rows).toEqual(rows);
  });

  it("counts keys that differ, not keys that come again", () => {
    expect(parseJson(JSON.stringify(manyRows(4_500, 20)))).toHaveLength(4_500);
    const mirrored = Array.from({ length: 30_000 }, (_, at) => (at % 2 ? { a: 1, b: 2 } : { b: 1, a: 2 }));
    expect(parseJson(JSON.stringify(mirrored))).toHaveLength(30_000);
    // Pairs of a few keys: each object has a form of its own.
    const pairs = Array.from({ length: 40_000 }, (_, at) => ({
      [`a${at % 200}`]: 1,
      [`b${(at / 200) | 0}`]: 1,
    }));
    expect(() => parseJson(JSON.stringify(pairs))).toThrow(/different keys/);
    const escaped = Array.from({ length: 40_000 }, (_, at) => ({
      [at.toString(8).replaceAll(/./g, (digit) => '"\\/\b\f\n\r\t'[Number(digit)]!)]: 1,
    }));
    expect(() => parseJson(JSON.stringify(escaped))).toThrow(/different keys/);
  });

  it.each(["1e400", "-1e400", "1E+400", `1${"0".repeat(309)}`, `1${"0".repeat(309)}.5`])(
    "is 400 for a number that no double can hold, and names its place (%#)",
    async (number) => {
      const answer = await trigger(hugeNumberBody("flow_hello", number));
      expect(answer.status).toBe(400);
      expect(answer.body.issues[0].path).toEqual(["payload", "data", "list", 1]);
    },
  );

  it("takes numbers that only look too large", () => {
    const text = `[1e308,0e999,1.5e-400,"1e400",0.${"1".repeat(400)}]`;
    expect(parseJson(text)).toHaveLength(5);
  });

  it("is told of at most 100 faults, however many there are", async () => {
    const many = await service.send("POST", "/api/runs", {
      key: service.key,
      body: { payload: { flowId: "flow_hello" }, tags: Array.from({ length: 90_000 }, () => 1) },
    });
    expect(many.status).toBe(400);
    expect(many.body.issues).toEqual([{ path: ["tags"], message: "must have at most 10 items" }]);
    const key = "k".repeat(100_000);
    const long = await trigger(`{"payload":{"flowId":"flow_hello","data":{"${key}":1e400}}}`);
    expect(JSON.stringify(long.body).length).toBeLessThan(2_000);
  });
});

describe("a suspended organization", () => {
  it("ends its links: nothing is shown, nothing is answered", async () => {
    const { pool } = service.database;
    const path = await newLink();
    await pool.query(`UPDATE organizations SET suspended = true WHERE id = 'org_run'`);
    try {
      expect((await service.get(path)).status).toBe(403);
      const answer = await service.send("POST", path, { body: { decision: "approved" } });
      expect([answer.status, answer.body.code]).toEqual([403, "organization_suspended"]);
      expect(await statusBeforeBody(path, form)).toBe(403);
    } finally {
      await pool.query(`UPDATE organizations SET suspended = false WHERE id = 'org_run'`);
    }
    expect((await service.send("POST", path, { body: { decision: "approved" } })).status).toBe(200);
  });
});
