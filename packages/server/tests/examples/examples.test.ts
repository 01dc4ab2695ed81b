import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Charge, createPretendHttp } from "../../../../examples/pretend/http.ts";
import { createPretendMail, type Mail } from "../../../../examples/pretend/mail.ts";
import { IdMaker } from "../../src/domain/ids.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { applyDocuments } from "../../src/operations/apply-documents/apply-documents.ts";
import { readPaths } from "../../src/operations/apply-documents/read-documents.ts";
import { asRunService, type RunTestService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";
import { startTestService } from "../support/service.ts";
import { addKey, addOrganization, addUser } from "../support/workspace.ts";

let service: RunTestService;
let http: Server;
let mail: Server;
const charges: Charge[] = [];
const mails: Mail[] = [];

beforeAll(async () => {
  http = createPretendHttp((charge) => charges.push(charge)).listen(0, "127.0.0.1");
  mail = createPretendMail((one) => mails.push(one)).listen(0, "127.0.0.1");
  await Promise.all([once(http, "listening"), once(mail, "listening")]);
  const started = await startTestService();
  const { pool } = started.database;
  await addOrganization(pool, "org_demo");
  await addUser(pool, "ada", { org_demo: "owner" });
  const { key } = await addKey(pool, { organizationId: "org_demo", userId: "ada" });
  service = asRunService(started, key);
});
beforeEach(() => {
  charges.length = 0;
  mails.length = 0;
});
afterAll(async () => {
  await service.stop();
  http.close();
  mail.close();
});

const portOf = (server: Server) => String((server.address() as AddressInfo).port);

/** As `millrace apply` would, with the ports of this test in the place of 4010 and 4011. */
async function apply(file: string, env: Record<string, string> = {}) {
  const source = await readFile(new URL(`../../../../examples/${file}`, import.meta.url), "utf8");
  const directory = await mkdtemp(join(tmpdir(), "examples-"));
  try {
    const text = source.replaceAll("4010", portOf(http)).replaceAll("4011", portOf(mail));
    await writeFile(join(directory, "example.yaml"), text);
    const { database, secrets } = service;
    const ids = new IdMaker(() => Date.now());
    const services = { pool: database.pool, secrets, ids, catalogue: nodeTypes };
    const { documents } = await applyDocuments(services, await readPaths([directory]), {
      actor: { via: "cli" },
      env,
    });
    for (const { id, errors = [], warnings = [] } of documents)
      expect({ id, errors, warnings: warnings.filter((text) => !text.includes('no "return"')) }).toEqual({
        id,
        errors: [],
        warnings: [],
      });
  } finally {
    await rm(directory, { recursive: true });
  }
}

const triggered = (flowId: string, payload: object) => service.begin(flowId, { payload });
const subjectOf = ({ source }: Mail) => /^Subject: (.*)$/m.exec(source)?.[1]?.trim();

describe("the order", () => {
  const order = (price: number, email = "ada@example.com") => ({
    trigger: { body: { email, lines: [{ sku: "mug", price, quantity: 2 }] } },
  });
  beforeAll(() => apply("order/order.yaml"));

  it("that is small is charged once and told by mail", async () => {
    const run = await service.untilEnd(await triggered("flow_order", order(12)));
    expect(run.output).toEqual({ charged: true, total: 24, chargeId: expect.stringMatching(/^ch_/) });
    expect(charges).toMatchObject([{ amount: 24, customer: "ada@example.com" }]);
    expect(mails.map((one) => [one.to, subjectOf(one)])).toEqual([
      [["ada@example.com"], "Your order for 24"],
    ]);
    expect(mails[0]!.source).toContain("2 x mug");
  });

  it("that is none is refused with the place of the fault", async () => {
    const { status, body } = await service.trigger("flow_order", {
      payload: { trigger: { body: { email: "ada@example.com" } } },
    });
    expect([status, body.issues]).toEqual([
      400,
      [{ path: ["payload", "trigger", "body", "lines"], message: "is required" }],
    ]);
  });

  it("that is large waits for the boss, whose note reaches the customer", async () => {
    const id = await triggered("flow_order", order(120));
    const { pause } = await service.untilStatus(id, "PAUSED");
    expect(charges).toEqual([]);
    expect(mails.map((one) => [one.to, subjectOf(one)])).toEqual([
      [["boss@example.com"], "Decision needed: Charge 240 to ada@example.com?"],
    ]);
    const answer = await service.send("POST", new URL(pause.resumeUrl).pathname, {
      body: new URLSearchParams({
        decision: "approved",
        "data.note": "Thank you for your patience",
      }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(answer.status).toBe(200);
    expect((await service.untilEnd(id)).output).toMatchObject({ charged: true, total: 240 });
    expect(mails.at(-1)!.source).toContain("Thank you for your patience");
  });

  it("that is rejected is not charged", async () => {
    const id = await triggered("flow_order", order(120));
    await service.untilStatus(id, "PAUSED");
    await service.send("POST", `/api/runs/${id}/resume`, {
      key: service.key,
      body: { decision: "rejected" },
    });
    expect((await service.untilEnd(id)).output).toEqual({ charged: false, why: "rejected" });
    expect(charges).toEqual([]);
  });

  it("whose card is declined is asked for once, and support is told", async () => {
    const id = await triggered("flow_order", order(12, "broke@example.com"));
    expect(await service.untilEnd(id)).toMatchObject({ status: "FAILED", error: { nodeId: "charge" } });
    const { body } = await service.get(`/api/runs/${id}/nodes`, service.key);
    const charge = body.data.find(({ nodeId }: { nodeId: string }) => nodeId === "charge");
    expect(charge.attempts).toBe(1);
    const told = await until("support is told", () =>
      mails.find(({ to }) => to[0] === "support@example.com"),
    );
    expect(subjectOf(told)).toBe("An order failed at charge");
    expect(told.source).toContain(id);
  });
});

describe("the nightly report", () => {
  let proxy: Server;
  afterAll(() => void proxy.close());
  beforeAll(async () => {
    const { pool, connection } = service.database;
    await pool.query(`CREATE TABLE sales (sold_on date, product text, quantity int, price numeric)`);
    await pool.query(
      `INSERT INTO sales VALUES ('2026-03-01', 'mug', 2, 12), ('2026-03-01', 'pot', 1, 30), ('2026-03-02', 'mug', 9, 12)`,
    );
    // Flows reach databases over TCP; the one of the tests listens on a socket in a directory.
    const { host, port = 5432, user, password, database } = connection;
    proxy = createServer((socket) => {
      const server = connect(`${host}/.s.PGSQL.${port}`);
      socket.on("error", () => server.destroy()).pipe(server);
      server.on("error", () => socket.destroy()).pipe(socket);
    }).listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const login = `${user}:${encodeURIComponent(password as string)}`;
    const url = `postgres://${login}@127.0.0.1:${portOf(proxy)}/${database}`;
    await apply("nightly-report/report.yaml", { SALES_DATABASE: url });
  });

  it("adds up a day of the table and mails it", async () => {
    const run = await service.untilEnd(await triggered("flow_report", { data: { day: "2026-03-01" } }));
    expect(run.output).toEqual({ day: "2026-03-01", products: 2, total: 54 });
    expect(mails.map((one) => [one.to, subjectOf(one)])).toEqual([
      [["sales@example.com"], "Sales of 2026-03-01: 54"],
    ]);
    expect(mails[0]!.source).toMatch(/pot +1 pieces +30[\s\S]*mug +2 pieces +24/);
  });

  it("mails nothing for a day without sales, and takes yesterday where none is named", async () => {
    const run = await service.untilEnd(await triggered("flow_report", {}));
    expect(run.output).toEqual({ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), products: 0 });
    expect(mails).toEqual([]);
  });

  it("is due at three in the morning in Istanbul", async () => {
    const { rows } = await service.database.pool.query(
      `SELECT to_char(next_at AT TIME ZONE 'Europe/Istanbul', 'HH24:MI') AS at FROM flow_schedules WHERE flow_id = 'flow_report'`,
    );
    expect(rows).toEqual([{ at: "03:00" }]);
  });
});

describe("the agent with a flow as its tool", () => {
  beforeAll(() => apply("agent-tool/agent.yaml"));

  it("answers with what the flow has found", async () => {
    const restock = { trigger: { body: { sku: "mug", pieces: 12 } } };
    await service.untilEnd(await triggered("flow_restock", restock));
    const { key } = service;
    const session = await service.send("POST", "/api/agents/agent_shop/sessions", { key, body: {} });
    const { sessionId } = session.body.data;
    const reply = await service.send("POST", `/api/agents/agent_shop/sessions/${sessionId}/messages`, {
      key,
      body: { message: "Do you have the mug?" },
    });
    expect(reply.body.data.text).toBe('I looked it up: {"sku":"mug","pieces":12}');
    const { body } = await service.get("/api/flows/flow_stock/runs", key);
    expect(body.data.data).toMatchObject([{ status: "COMPLETED" }]);
  });
});
