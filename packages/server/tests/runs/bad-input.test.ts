import { once } from "node:events";
import { connect } from "node:net";
import { errorBody } from "@millrace/contract/envelope";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { chain, hello, node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { addFlow, addKey, addOrganization, addUser } from "../support/workspace.ts";

let service: RunTestService;
beforeAll(async () => {
  service = await startRunService({ concurrency: 100 });
  await service.flow("flow_hello", hello);
});
afterAll(() => service.stop());

const stored = async () =>
  (
    await service.database.pool.query(
      `SELECT (SELECT count(*) FROM runs) AS runs, (SELECT count(*) FROM idempotency_keys) AS keys`,
    )
  ).rows[0] as { runs: number; keys: number };

const post = (body: unknown, headers: Record<string, string> = {}) =>
  service.send("POST", "/api/runs", { key: service.key, body, headers });
const good = { payload: { flowId: "flow_hello" } };

/** Refused as a fault of the caller, in the envelope of the contract, with nothing stored. */
describe("a trigger with a bad body", () => {
  let before: { runs: number; keys: number };
  beforeAll(async () => {
    before = await stored();
  });
  afterEach(async () => {
    expect(await stored()).toEqual(before);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it.each([
    ["half an object", "{"],
    ["nothing", ""],
    ["null", "null"],
    ["a list", "[]"],
    ["a text", '"run"'],
    ["a number", "7"],
    ["two objects", "{}{}"],
    ["a byte order mark", `\uFEFF${JSON.stringify(good)}`],
    ["10,000 levels of lists", `${"[".repeat(10_000)}${"]".repeat(10_000)}`],
    ["10,000 levels of objects", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`],
    ["__proto__", '{"payload":{"flowId":"flow_hello","data":{"__proto__":{"x":1}}}}'],
    ["__proto__ as an override", '{"payload":{"flowId":"flow_hello","inputs":{"__proto__":{"x":1}}}}'],
    ["constructor.prototype", '{"payload":{"flowId":"flow_hello","data":{"constructor":{"prototype":{}}}}}'],
    ["NUL in data", String.raw`{"payload":{"flowId":"flow_hello","data":{"a":"\u0000"}}}`],
    ["NUL in a key", String.raw`{"payload":{"flowId":"flow_hello","data":{"a\u0000":1}}}`],
    ["a lone surrogate", String.raw`{"payload":{"flowId":"flow_hello","data":{"a":"\ud800"}}}`],
    ["NUL in the idempotency key", String.raw`{"payload":{"flowId":"flow_hello"},"idempotencyKey":"\u0000"}`],
    ["NUL in a tag", String.raw`{"payload":{"flowId":"flow_hello"},"tags":["\u0000"]}`],
    ["no payload", "{}"],
    ["no flow", '{"payload":{}}'],
    ["a flow id that is a list", '{"payload":{"flowId":["flow_hello"]}}'],
    ["a flow id of 4 KB", `{"payload":{"flowId":"${"f".repeat(4_096)}"}}`],
    ["a flow id that is SQL", `{"payload":{"flowId":"'; DROP TABLE runs; --"}}`],
    ["a flow id that is a path", '{"payload":{"flowId":"../../etc/passwd"}}'],
  ])("is 400 with issues: %s", async (_, body) => {
    const answer = await post(body, { "content-type": "application/json" });
    expect(answer.status).toBe(400);
    expect(errorBody.safeParse(answer.body).success).toBe(true);
    expect(answer.body.error).toBe("Invalid request body");
    expect(answer.body.issues.length).toBeGreaterThan(0);
  });

  it.each<[string, unknown[]]>([
    [
      "delay",
      ["", "0s", "-1s", "1.5h", "30", "1w", "99999999999d", " 5m", "5m ", "366d", "٣m", 30, null, {}],
    ],
    ["maxDuration", [0, -1, "5", null, {}, [], true]],
    ["maxAttempts", [0, -1, 1.5, "5", null, 101, 2 ** 53, 1e300]],
    [
      "tags",
      [
        "a",
        [""],
        [1],
        [null],
        ["t".repeat(129)],
        Array.from({ length: 11 }, (_, at) => `t${at}`),
        Array.from({ length: 10_000 }, (_, at) => `t${at}`),
        ["t".repeat(1_000_000)],
      ],
    ],
    ["idempotencyKey", ["", 7, null, {}, "k".repeat(10_240)]],
    ["isTest", ["true", 1, null]],
    ["payload", [null, [], "flow_hello"]],
  ])("is 400 for every bad %s", async (field, values) => {
    for (const value of values) {
      const answer = await post({ ...good, [field]: value });
      expect(answer.status, JSON.stringify(value)?.slice(0, 80)).toBe(400);
      expect(answer.body.issues[0].path[0]).toBe(field);
    }
  });

  it("is 400 for numbers that are too large to be any", async () => {
    for (const field of ["maxDuration", "maxAttempts"]) {
      const answer = await post(`{"payload":{"flowId":"flow_hello"},"${field}":1e309}`, {
        "content-type": "application/json",
      });
      expect(answer.status).toBe(400);
    }
  });

  it("is 400 for an organization that is none", async () => {
    for (const organizationId of [["org_run"], {}, 7, "", "org run", null]) {
      const answer = await post({ payload: { flowId: "flow_hello", organizationId } });
      expect(answer.status).toBe(400);
      expect(answer.body.issues[0].path).toEqual(["payload", "organizationId"]);
    }
  });

  it("is 415 where it is not JSON, or compressed", async () => {
    const text = JSON.stringify(good);
    for (const type of [
      "text/plain",
      "multipart/form-data; boundary=x",
      "application/xml",
      "application/x-www-form-urlencoded",
    ]) {
      expect((await post(text, { "content-type": type })).status).toBe(415);
    }
    expect(
      (await post(text, { "content-type": "application/json", "content-encoding": "gzip" })).status,
    ).toBe(415);
    const utf16 = await fetch(`${service.address}/api/runs`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
      body: Buffer.from(text, "utf16le"),
    });
    expect(utf16.status).toBe(400);
  });

  it("is 413 above 3 MB", async () => {
    const answer = await post({
      payload: { flowId: "flow_hello", data: { text: "x".repeat(3 * 1_048_576) } },
    });
    expect(answer.status).toBe(413);
    expect((await service.get("/healthz")).status).toBe(200);
  });

  it("names overrides that fit nothing as documented: unknown ones are ignored, wrong values refused", async () => {
    await service.flow(
      "flow_under",
      chain(node("a", "set", { values: { from: "a" } }), node("a_b", "set", { values: { from: "a_b" } })),
    );
    const before202 = await stored();
    const answer = await post({ payload: { flowId: "flow_under", inputs: { a_b_values: 7 } } });
    expect(answer.status).toBe(400);
    expect(answer.body.issues[0].path).toEqual(["payload", "inputs", "a_b_values"]);
    expect(await stored()).toEqual(before202);
  });
});

describe("odd, but good", () => {
  it("an override reaches the node it names and no other", async () => {
    const inputs = { a_b_values: { from: "override" }, nobody_values: 7, a_b_c: 1, constructor_values: 1 };
    const run = await service.untilEnd(await service.begin("flow_under", { payload: { inputs } }));
    expect(run.status).toBe("COMPLETED");
    const nodes = (await service.get(`/api/runs/${run.id}/nodes`, service.key)).body.data;
    const outputs = Object.fromEntries(
      nodes.map(({ nodeId, output }: { nodeId: string; output: object }) => [nodeId, output]),
    );
    expect(outputs).toMatchObject({ a: { from: "a" }, a_b: { from: "override" } });
  });

  it("text is kept letter by letter, and never evaluated", async () => {
    const text = String.raw`{{ 1 + 1 }} ={{1+1}} $(id) ' " \ <b> 😀 ‮ \u0000 ${"\u2028"}`;
    const run = await service.untilEnd(
      await service.begin("flow_hello", { payload: { trigger: { body: { name: text } }, data: { text } } }),
    );
    expect(run.output).toEqual({ text: `Hello ${text}`, data: { text } });
    expect(run.payload.data).toEqual({ text });
  });

  it("a body as large as the limit allows is taken", async () => {
    const data = { text: "x".repeat(3 * 1_048_576 - 1_000) };
    const run = await service.untilEnd(await service.begin("flow_under", { payload: { data } }));
    expect(run.payload.data).toEqual(data);
  });
});

describe("a bad run id", () => {
  it.each([
    ["abc", 400],
    ["RUN_0123456789abcdefghijKLMN", 400],
    ["queue_0123456789abcdefghijKLMN", 400],
    ["run_", 404],
    ["run_abc", 404],
    ["run_0123456789abcdefghijKLMN", 404],
    ["run_'%20OR%201=1--", 404],
    ["run_..%2f..%2fetc%2fpasswd", 404],
    ["run_%F0%9F%98%80", 404],
    ["run_%00", 404],
    [`run_${"a".repeat(4_000)}`, 404],
  ])("is a client's fault: %.40s", async (id, status) => {
    const calls = [
      service.send("POST", `/api/runs/${id}/cancel`, { key: service.key }),
      service.send("POST", `/api/runs/${id}/resume`, { key: service.key, body: { decision: "approved" } }),
      service.get(`/api/runs/${id}`, service.key),
      service.get(`/api/runs/${id}/nodes`, service.key),
    ];
    for (const answer of await Promise.all(calls)) {
      expect(answer.status).toBe(status);
      expect(answer.body.success).toBe(false);
    }
  });
});

describe("keys", () => {
  it("of another organization find nothing of this one, and learn nothing from the answers", async () => {
    const { pool } = service.database;
    await addOrganization(pool, "org_spy");
    await addFlow(pool, "org_spy", "flow_spy", { graph: hello });
    await addUser(pool, "sam", { org_spy: "owner" });
    const { key } = await addKey(pool, { organizationId: "org_spy", userId: "sam" });
    const id = await service.begin("flow_hello", { delay: "1d" });
    const nothing = `run_${"9".repeat(24)}`;
    const ask = async (runId: string) => [
      await service.get(`/api/runs/${runId}`, key),
      await service.get(`/api/runs/${runId}/nodes`, key),
      await service.send("POST", `/api/runs/${runId}/cancel`, { key }),
      await service.send("POST", `/api/runs/${runId}/resume`, { key, body: { decision: "approved" } }),
      await service.send(
        "DELETE",
        `/api/runs/queue/${runId.replace("run_", "queue_")}?filter[organizationId]=org_spy`,
        { key },
      ),
    ];
    const [foreign, missing] = [await ask(id), await ask(nothing)];
    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(foreign.map(({ body }) => body)).toEqual(missing.map(({ body }) => body));
    expect((await service.row(id))["status"]).toBe("WAITING");
  });

  it("that were revoked start nothing within five seconds", async () => {
    const { pool } = service.database;
    const { id, key } = await addKey(pool, { organizationId: "org_run", userId: "rosa" });
    expect((await service.trigger("flow_hello", {}, key)).status).toBe(201);
    await pool.query(`UPDATE api_keys SET revoked_at = now() WHERE id = $1`, [id]);
    const deadlineMs = performance.now() + 6_000;
    let { status } = await service.trigger("flow_hello", { delay: "1d" }, key);
    while (status === 201 && performance.now() < deadlineMs)
      ({ status } = await service.trigger("flow_hello", { delay: "1d" }, key));
    expect(status).toBe(401);
  });
});

it("bodies that never come end by themselves and do not stop others, with a key or without", async () => {
  const { hostname, port } = new URL(service.address);
  const answers: string[] = [];
  const open = (header: string) => {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.on("data", (chunk) => answers.push(chunk.toString()));
    socket.write(
      `POST /api/runs HTTP/1.1\r\nhost: x\r\n${header}content-type: application/json\r\ncontent-length: 50\r\n\r\n{"pay`,
    );
    return socket;
  };
  const known = Array.from({ length: 100 }, () => open(`authorization: Bearer ${service.key}\r\n`));
  const sockets = [...known, ...Array.from({ length: 100 }, () => open(""))];
  const ended = sockets.map((socket) => once(socket, "close"));
  await Promise.all(sockets.filter((socket) => socket.connecting).map((socket) => once(socket, "connect")));
  expect((await service.trigger("flow_hello")).status).toBe(201);
  // None of them had to end before.
  expect(known.some((socket) => socket.closed)).toBe(false);
  await Promise.all(ended);
  expect(answers.every((answer) => /^HTTP\/1\.1 4\d\d/.test(answer))).toBe(true);
}, 120_000);
