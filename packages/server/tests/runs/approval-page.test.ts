import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { secretPlace } from "../../src/domain/secret-place.ts";
import { putCredential } from "../../src/storage/catalogue/put-credential.ts";
import { type LoopbackServer, readText, startLoopbackServer } from "../support/loopback-server.ts";
import { chain, node, type TestNode } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";
import { type SmtpServer, startSmtpServer } from "../support/smtp-server.ts";
import { addKey, addUser } from "../support/workspace.ts";

const form = {
  type: "object",
  properties: {
    amount: { type: "number", minimum: 1, maximum: 100, title: "How much?" },
    reason: { type: "string", maxLength: 500, description: 'Why <b>"so"</b>?' },
    kind: { type: "string", enum: ["full", "part"] },
    sure: { type: "boolean" },
    on: { type: "string", format: "date" },
  },
  required: ["amount", "kind"],
};

let service: RunTestService;
let receiver: LoopbackServer;
let mails: SmtpServer;
let failures = 0;
const received: { path: string; key: string; authorization: string; body: Record<string, unknown> }[] = [];

beforeAll(async () => {
  service = await startRunService({ concurrency: 5 });
  mails = await startSmtpServer({ user: "shop@example.com", password: "secret" });
  receiver = await startLoopbackServer(async (request, response) => {
    const text = await readText(request);
    const { authorization = "", "idempotency-key": key } = request.headers;
    received.push({ path: request.url!, key: String(key), authorization, body: JSON.parse(text || "{}") });
    response.writeHead(failures-- > 0 ? 503 : 200).end("{}");
  });
  await credential("cred_http", "http-bearer", { token: "t0ken" }, ["127.0.0.1"]);
  const { port } = mails;
  const login = { user: "shop@example.com", password: "secret" };
  await credential("cred_mail", "smtp", { host: "127.0.0.1", port: String(port), secure: "false", ...login });
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
  await mails.close();
});

async function credential(
  id: string,
  type: string,
  secret: Record<string, string>,
  allowedHosts: string[] = [],
) {
  const { database, secrets } = service;
  await putCredential(database.pool, {
    organizationId: "org_run",
    id,
    type,
    allowedHosts,
    allowUnencrypted: true,
    ciphertext: secrets.seal(secretPlace("org_run", "credential", id), JSON.stringify(secret)),
    fingerprint: id,
  });
}

let flows = 0;
/** Runs the approval between a node before it and one that shows the answer. */
async function asking(inputs: object, data: object = {}, before: TestNode[] = []) {
  const flowId = `flow_page_${++flows}`;
  const ask = node("ask", "approval", { message: "Refund {{ data.amount }}?", ...inputs }, data);
  const graph = chain(...before, ask, node("done", "return", { value: "{{ nodes.ask }}" }));
  const edges = graph.edges.map((edge) =>
    edge.source === "ask" ? { ...edge, sourceHandle: "approved" } : edge,
  );
  await service.flow(flowId, { ...graph, edges });
  const id = await service.begin(flowId, { payload: { data: { amount: "<12>" } } });
  const run = await service.untilStatus(id, "PAUSED");
  return { id, flowId, path: new URL(run.pause.resumeUrl).pathname, pause: run.pause };
}
const post = (path: string, fields: Record<string, string>) =>
  service.send("POST", path, {
    body: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
const resume = (id: string, body: object, key = service.key) =>
  service.send("POST", `/api/runs/${id}/resume`, { key, body });

describe("the page of an approval", () => {
  it("shows what is asked, by whom and until when, escaped, without script and fit for a phone", async () => {
    const { path, id, flowId } = await asking({ form, timeout: "2d", assignees: ["ada@example.com"] });
    const { status, headers, body } = await service.get(path);
    expect(status).toBe(200);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    for (const text of [
      "Refund &lt;12&gt;?",
      flowId,
      "org_run",
      id,
      "ada@example.com",
      "How much? *",
      "Until",
    ])
      expect(body).toContain(text);
    expect(body).toContain("Why &lt;b&gt;&quot;so&quot;&lt;/b&gt;?");
    expect(body).toContain('<meta name="viewport"');
    expect(body).not.toMatch(/<script|<b>|style=| on\w+=/);
    const inputs = (body.match(/<(input|select|textarea) [^>]*>/g) as string[]).map((one) => [
      /name="data\.([^"]+)"/.exec(one)![1],
      /^<(\w+)(?: type="(\w+)")?/.exec(one)!.slice(1).join(" ").trim(),
    ]);
    expect(Object.fromEntries(inputs)).toEqual({
      amount: "input number",
      reason: "textarea",
      kind: "select",
      sure: "input checkbox",
      on: "input date",
    });
  });

  it("shows again what was filled in where that does not fit, and takes it once it does", async () => {
    const { id, path } = await asking({ form });
    const wrong = await post(path, { decision: "approved", "data.amount": "1000", "data.reason": '"><i>' });
    expect(wrong.status).toBe(400);
    expect(wrong.body).toContain("must be at most 100");
    expect(wrong.body).toContain("is required");
    expect(wrong.body).toContain('value="1000"');
    expect(wrong.body).toContain("&quot;&gt;&lt;i&gt;</textarea>");
    const right = await post(path, {
      decision: "approved",
      "data.amount": "12.5",
      "data.kind": "part",
      "data.sure": "on",
      "data.reason": "",
      "data.extra": "x",
    });
    expect([right.status, right.body]).toEqual([200, expect.stringContaining("Thank you")]);
    expect((await service.untilEnd(id)).output).toEqual({
      decision: "approved",
      by: "link",
      data: { amount: 12.5, kind: "part", sure: true },
    });
    expect((await service.get(path)).body).toContain("decided already");
  });

  it("lets somebody reject without filling in anything", async () => {
    const { path } = await asking({ form });
    expect((await post(path, { decision: "rejected", "data.amount": "" })).status).toBe(200);
  });
});

describe("an answer", () => {
  it("is checked against the form, with the place of each fault", async () => {
    const { id, path } = await asking({ form });
    for (const [answer, ...faults] of [
      [{}, "amount", "kind"],
      [{ data: { amount: "3", kind: "none" } }, "amount", "kind"],
      [{ data: { amount: 3, kind: "full", on: "soon" } }, "on"],
    ] as const) {
      const body = { decision: "approved", ...answer };
      const answers = [await resume(id, body), await service.send("POST", path, { body })];
      for (const { status, body: refused } of answers) {
        expect(status).toBe(400);
        expect(refused.issues.map((issue: { path: string[] }) => issue.path)).toEqual(
          faults.map((name) => ["data", name]),
        );
      }
    }
    expect((await resume(id, { decision: "rejected", data: { amount: "x" } })).status).toBe(400);
    const data = { amount: 3, kind: "full" };
    expect((await resume(id, { decision: "approved", data })).status).toBe(200);
    expect((await service.untilEnd(id)).output).toMatchObject({ by: "rosa", data });
  });

  it("with a key comes from those who are named, admins and owners alone", async () => {
    const { pool } = service.database;
    const keyOf = async (userId: string, role: string) => {
      await addUser(pool, userId, { org_run: role });
      return (await addKey(pool, { organizationId: "org_run", userId })).key;
    };
    const named = await keyOf("nora", "member");
    const other = await keyOf("otto", "member");
    const admin = await keyOf("anna", "admin");
    const byId = await asking({ assignees: ["nora"] });
    expect(byId.pause).toMatchObject({ assignees: ["nora"], message: "Refund <12>?" });
    const refused = await resume(byId.id, { decision: "approved" }, other);
    expect([refused.status, refused.body.code]).toEqual([403, "not_assigned"]);
    expect((await resume(byId.id, { decision: "approved" }, named)).status).toBe(200);
    const byAddress = await asking({ assignees: "Nora@Example.com" });
    expect((await resume(byAddress.id, { decision: "approved" }, named)).status).toBe(200);
    const byAdmin = await asking({ assignees: ["nora"] });
    expect((await resume(byAdmin.id, { decision: "approved" }, admin)).status).toBe(200);
  });
});

describe("the notice of an approval", () => {
  it("goes out once, with message and link, through the credential", async () => {
    received.length = 0;
    const notify = { "http-request": { url: `${receiver.url}/ask` } };
    const { id, flowId, path } = await asking({ notify, assignees: ["nora"] }, { credential: "cred_http" });
    expect(received).toEqual([
      {
        path: "/ask",
        key: `${id}:ask`,
        authorization: "Bearer t0ken",
        body: {
          message: "Refund <12>?",
          url: expect.stringContaining(path),
          runId: id,
          flowId,
          nodeKey: "ask",
          assignees: ["nora"],
        },
      },
    ]);
    await resume(id, { decision: "approved" });
    await service.untilEnd(id);
    expect(received).toHaveLength(1);
  });

  it("is a mail with a subject and the link", async () => {
    const notify = { email: { to: "ada@example.com" } };
    const { path } = await asking({ notify }, { credential: "cred_mail" });
    const mail = mails.mails.at(-1)!;
    expect(mail.to).toEqual([expect.stringContaining("ada@example.com")]);
    expect(mail.source).toContain("Subject: Decision needed: Refund <12>?");
    expect(mail.source.replaceAll(/=\r?\n/g, "")).toContain(path.split(".")[0]!.slice(0, 60));
  });

  it("that cannot be sent is tried again by the node's retry, and fails the node in the end", async () => {
    received.length = 0;
    failures = 1;
    const notify = { "http-request": { url: `${receiver.url}/again` } };
    const retry = { maxAttempts: 2, backoffSeconds: 0 };
    const { id } = await asking({ notify }, { retry });
    expect(received).toHaveLength(2);
    expect((await resume(id, { decision: "approved" })).status).toBe(200);
    expect((await service.untilEnd(id)).status).toBe("COMPLETED");
    failures = 1;
    await service.flow("flow_untold", chain(node("ask", "approval", { message: "?", notify })));
    const untold = await service.begin("flow_untold");
    expect((await service.untilEnd(untold)).error).toMatchObject({
      nodeId: "ask",
      name: "HttpStatusUnexpected",
    });
    expect((await resume(untold, { decision: "approved" })).status).toBe(400);
  });
});

describe("resume.url", () => {
  it("is there for nodes before the approval, valid before it is reached and the same afterwards", async () => {
    const seen = node("tell", "set", { values: { link: "{{ resume.url }}" } });
    const hold = node("hold", "http-request", {
      url: `${receiver.url}/hold`,
      body: { link: "{{ resume.url }}" },
    });
    received.length = 0;
    const { id, path } = await asking({}, {}, [seen, hold]);
    expect(new URL(received[0]!.body["link"] as string).pathname).toBe(path);
    const nodes = await service.get(`/api/runs/${id}/nodes`, service.key);
    const tell = nodes.body.data.find(({ nodeId }: { nodeId: string }) => nodeId === "tell");
    expect(tell.output.link).toBe(received[0]!.body["link"]);
    expect((await post(path, { decision: "approved" })).status).toBe(200);
    await service.untilEnd(id);
  });

  it("leads to a page that says so while the run has not come to it", async () => {
    let link = "";
    const early = await startLoopbackServer(async (request, response) => {
      link = JSON.parse(await readText(request)).link;
      await until("the test has looked", () => looked);
      response.end("{}");
    });
    let looked = false;
    const call = node("call", "http-request", { url: early.url, body: { link: "{{ resume.url }}" } });
    const asked = asking({}, {}, [call]);
    await until("the link is known", () => link !== "");
    const { pathname } = new URL(link);
    expect((await service.get(pathname)).body).toContain("nothing to decide yet");
    expect((await post(pathname, { decision: "approved" })).status).toBe(400);
    looked = true;
    const { path } = await asked;
    expect(path).toBe(pathname);
    expect((await service.get(path)).body).toContain("Approve</button>");
    await early.close();
  });

  it("names the round inside of a loop", async () => {
    await service.flow("flow_rounds", {
      nodes: [
        { id: "start", type: "start", data: {} },
        node("each", "for-each", { items: [1, 2] }),
        { ...node("tell", "set", { values: { link: "{{ resume.url }}" } }), parentId: "each" },
        { ...node("ask", "approval", { message: "{{ nodes.tell.link }}" }), parentId: "each" },
      ],
      edges: [
        { id: "e1", source: "start", target: "each" },
        { id: "e2", source: "tell", target: "ask" },
      ],
    });
    const id = await service.begin("flow_rounds");
    for (const round of [0, 1]) {
      const { pause } = await until("it asks", async () => {
        const { body } = await service.get(`/api/runs/${id}`, service.key);
        return body.data.pause?.nodeKey === `ask[${round}]` && body.data;
      });
      expect(pause.message).toBe(pause.resumeUrl);
      expect((await post(new URL(pause.resumeUrl).pathname, { decision: "approved" })).status).toBe(200);
    }
    expect((await service.untilEnd(id)).status).toBe("COMPLETED");
  });
});

it("a bogus link is 404, the same for GET and POST and whatever is wrong with it", async () => {
  const { id, path } = await asking({});
  const other = await asking({});
  const token = path.split("/").at(-1)!;
  const wrong = [
    `${path}x`,
    path.replace(id, other.id),
    `/app/resume/${id}/x`,
    `/app/resume/${id}/.`,
    `/app/resume/${id}/${"a".repeat(500)}`,
    `/app/resume/nonsense/${token}`,
    `/app/resume/run_${"z".repeat(24)}/${token}`,
    `/app/resume/${id}/${token.replace(".", "")}`,
  ];
  const bodies = new Set<string>();
  for (const address of wrong) {
    for (const answer of [
      await service.get(address),
      await service.send("POST", address, { body: { decision: "approved" } }),
      await service.send("POST", address, { body: "nonsense" }),
    ]) {
      expect([address, answer.status]).toEqual([address, 404]);
      bodies.add(JSON.stringify(answer.body));
    }
  }
  expect(bodies.size).toBe(1);
  expect((await service.row(id))["status"]).toBe("PAUSED");
});
