import { afterAll, beforeAll, expect, it } from "vitest";
import { writeEventId } from "../../src/http/mcp/event-ids.ts";
import { sendRaw } from "../support/browser.ts";
import { chain, node, type TestNode } from "../support/runs-flows.ts";
import { until } from "../support/runs-until.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addFlow, addKey, addTwoOrganizations } from "../support/workspace.ts";
import { answerIn, connectSecond, connectThird, post, rpcHeaders } from "./support.ts";

let service: TestService;
let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;
let memberKey: string;
/** Of org_one, paused at an approval. */
let runId: string;

beforeAll(async () => {
  service = await startTestService();
  const { pool } = service.database;
  keys = await addTwoOrganizations(pool);
  memberKey = (await addKey(pool, { organizationId: "org_one", userId: "ada", role: "member" })).key;
  const ask = chain(node("ask", "approval", { message: "Release?" }));
  const settings = { tool: { description: "Releases" } };
  await addFlow(pool, "org_one", "flow_release", { graph: ask, settings });
  await addFlow(pool, "org_two", "flow_other", { graph: ask, settings });
  await addFlow(pool, "org_one", "flow_resting", { graph: ask, settings, active: false });
  await addFlow(pool, "org_one", "flow_broken", { graph: { nodes: [], edges: [] }, settings });
  await addFlow(pool, "org_one", "flow_plain", { graph: ask });
  const body = { payload: { flowId: "flow_release" } };
  runId = (await service.send("POST", "/api/runs", { key: keys.one, body })).body.data.id;
  await until("it waits", async () => (await statusOf()) === "PAUSED");
});
afterAll(() => service.stop());

async function statusOf(): Promise<string> {
  return (await service.get(`/api/runs/${runId}`, keys.one)).body.data.status;
}

async function toolsOf(key: string): Promise<string[]> {
  const client = await connectThird({ url: service.address, key });
  const { tools } = await client.list();
  await client.close();
  return tools.map(({ name }) => name);
}

const READING = ["get_run", "why", "validate_flow"];
const CHANGING = ["get_run", "cancel_run", "why", "validate_flow", "dry_run_flow"];
const ALL = ["get_run", "cancel_run", "why", "validate_flow", "draft_flow", "dry_run_flow"];

it("offers each caller what it may do: flows that run, of its own organizations, and tools by its role", async () => {
  expect(await toolsOf(keys.viewer)).toEqual(READING);
  expect(await toolsOf(memberKey)).toEqual([...CHANGING, "flow_release"]);
  expect(await toolsOf(keys.one)).toEqual([...ALL, "flow_release"]);
  expect(await toolsOf(keys.two)).toEqual([...ALL, "flow_other"]);
  expect(await toolsOf(keys.user)).toEqual([...CHANGING, "flow_other", "flow_release"]);
});

it.each([
  "flow_other",
  "flow_resting",
  "flow_broken",
  "flow_plain",
  "flow_none",
  "draft_flow",
  "__proto__",
  "x".repeat(500),
])("knows no tool %s for a member of the other organization", async (name) => {
  const { error } = answerIn(await post(service, memberKey, "tools/call", { name, arguments: {} }));
  expect(error).toMatchObject({ code: -32_602 });
});

it("starts nothing for a viewer", async () => {
  const answer = answerIn(
    await post(service, keys.viewer, "tools/call", { name: "flow_release", arguments: {} }),
  );
  expect(answer.result).toMatchObject({ isError: true });
  expect(answer.result.content[0]!.text).toContain("member");
});

it.each(["get_run", "why", "cancel_run"])("%s finds no run of another organization", async (name) => {
  const call = (id: string) => post(service, keys.two, "tools/call", { name, arguments: { runId: id } });
  const [foreign, none] = [answerIn(await call(runId)), answerIn(await call("run_0123456789"))];
  expect(foreign.result).toMatchObject({ isError: true });
  expect(foreign.result).toEqual(none.result);
  expect(await statusOf()).toBe("PAUSED");
});

it("goes on with no run of another organization, whatever names it", async () => {
  const state = Buffer.from(JSON.stringify({ runId, nodeKey: "ask", round: 1 })).toString("base64url");
  const stolen = await sendModern(keys.two, {
    name: "flow_other",
    arguments: {},
    requestState: state,
    inputResponses: { approval: { action: "accept", content: {} } },
  });
  expect(stolen.result).toMatchObject({ isError: true });
  const lastEvent = writeEventId({ requestId: 1, tool: "flow_release", runId }, 1);
  const resumed = await service.get("/mcp", keys.two, {
    accept: "text/event-stream",
    "last-event-id": lastEvent,
  });
  expect(resumed.body).toContain("isError");
  expect(resumed.body).not.toContain("Release?");
  const answer = { jsonrpc: "2.0", id: `approval ${runId} ask`, result: { action: "accept", content: {} } };
  for (const key of [keys.two, keys.viewer])
    expect((await service.send("POST", "/mcp", { key, body: answer, headers: rpcHeaders })).status).toBe(202);
  expect(await statusOf()).toBe("PAUSED");
});

it("takes a flow's run only for that flow's tool", async () => {
  const { body } = await service.send("POST", "/api/runs", {
    key: keys.user,
    body: { payload: { organizationId: "org_two", flowId: "flow_other" } },
  });
  const state = Buffer.from(JSON.stringify({ runId: body.data.id, round: 1 })).toString("base64url");
  const answer = await sendModern(keys.user, { name: "flow_release", arguments: {}, requestState: state });
  expect(answer.result).toMatchObject({ isError: true });
});

async function sendModern(key: string, params: object) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
  };
  const { name } = params as { name: string };
  return answerIn(
    await post(
      service,
      key,
      "tools/call",
      { ...params, _meta },
      {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": name,
      },
    ),
  );
}

it("takes keys in every header, and says what to bring where there is none", async () => {
  for (const [name, value] of [
    ["x-api-key", keys.one],
    ["authorization", `ApiKey ${keys.one}`],
  ] as const)
    expect((await post(service, undefined, "ping", {}, { [name]: value })).status).toBe(200);
  const refused = await post(service, undefined, "ping");
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toBe("Bearer");
  expect((await service.get("/api/runs")).headers.get("www-authenticate")).toBeNull();
});

it("refuses pages of other sites, and names that are not ours", async () => {
  const body = { jsonrpc: "2.0", id: 1, method: "ping" };
  const authorization = `Bearer ${keys.one}`;
  const send = (headers: Record<string, string>) =>
    sendRaw(service.address, "POST", "/mcp", { body, headers: { ...rpcHeaders, authorization, ...headers } });
  const { host } = new URL(service.address);
  const forged = { origin: "https://evil.example" };
  expect(await send(forged)).toMatchObject({ status: 403, body: { code: "origin_not_allowed" } });
  expect(await send({ origin: "null" })).toMatchObject({ status: 403 });
  expect(await send({ "sec-fetch-site": "cross-site" })).toMatchObject({ status: 403 });
  expect(await send({ host: "evil.example", origin: "http://evil.example" })).toMatchObject({
    status: 403,
    body: { code: "host_not_allowed" },
  });
  expect(await send({ origin: `http://${host}` })).toMatchObject({ status: 200 });
  expect(await send({})).toMatchObject({ status: 200 });
});

it("writes drafts alone: a flow in force stays as it is, a new one cannot run", async () => {
  const client = await connectSecond({ url: service.address, key: keys.one });
  const graph = chain(node("answer", "return", { value: { hello: "you" } }));
  const call = async (name: string, given: object) => {
    const result = await client.call(name, given as Record<string, unknown>);
    return result.isError ? result.content[0]!.text : JSON.parse(result.content[0]!.text);
  };
  expect(await call("validate_flow", { graph })).toMatchObject({ valid: true });
  const broken = { nodes: [...graph.nodes, node("lost", "nothing")], edges: graph.edges };
  expect(await call("validate_flow", { flowId: "flow_new", graph: broken })).toMatchObject({ valid: false });
  expect(await call("draft_flow", { flowId: "flow_new", graph })).toContain("Flow not found");
  const created = await call("draft_flow", { flowId: "flow_new", graph, name: "New" });
  expect(created).toMatchObject({ flowId: "flow_new", created: true, errors: [] });
  const trigger = (flowId: string) =>
    service.send("POST", "/api/runs", { key: keys.one, body: { payload: { flowId } } });
  expect((await trigger("flow_new")).status).toBe(400);
  const changed = await call("draft_flow", { flowId: "flow_plain", graph: broken });
  expect(changed).toMatchObject({ created: false });
  expect(changed.errors.join()).toContain("nothing");
  const stale = await call("draft_flow", { flowId: "flow_plain", graph, revision: changed.revision - 1 });
  expect(stale).toContain(String(changed.revision));
  const { body } = await service.get("/manage/flows/flow_plain/versions", keys.one);
  expect(body.data.data).toHaveLength(1);
  expect((await trigger("flow_plain")).status).toBe(201);
  expect(await call("draft_flow", { flowId: "flow_other", graph, name: "Mine" })).toContain("Flow not found");
  const audit = await service.get("/manage/audit?page[size]=50", keys.one);
  expect(JSON.stringify(audit.body)).toContain("flow.save-draft");
  await client.close();
});

it("tries a graph out without any effect", async () => {
  const client = await connectSecond({ url: service.address, key: memberKey });
  const graph = chain(
    node("fetch", "http-request", { url: `${service.address}/healthz`, method: "POST" }),
    node("ask", "approval", { message: "Go?", notify: { "http-request": { url: service.address } } }),
    node("rest", "wait", { duration: "30d" }),
    node("code", "code", { source: "return { twice: input * 2 }", input: "{{ nodes.fetch.body.amount }}" }),
    node("keep", "store", { operation: "set", key: "dry", value: 1 }),
    node("answer", "return", { value: { twice: "{{ nodes.code.twice }}", by: "{{ trigger.body.name }}" } }),
  );
  const edges = graph.edges.map((edge) =>
    edge.source === "ask" ? { ...edge, sourceHandle: "approved" } : edge,
  );
  const call = async (given: object) => {
    const result = await client.call("dry_run_flow", {
      graph: { ...graph, edges },
      body: { name: "Ada" },
      ...given,
    });
    return result.isError ? result.content[0]!.text : JSON.parse(result.content[0]!.text);
  };
  const done = await call({ outputs: { fetch: { body: { amount: 21 } }, keep: { value: 1 } } });
  expect(done).toMatchObject({ status: "COMPLETED", output: { twice: 42, by: "Ada" } });
  const steps = (done.nodes as { nodeKey: string }[]).map(({ nodeKey }) => nodeKey);
  expect(steps).toEqual(["start", "fetch", "ask", "rest", "code", "keep", "answer"]);
  const missing = await call({});
  expect(missing).toMatchObject({
    status: "UNANSWERED",
    unanswered: { nodeKey: "fetch", type: "http-request" },
  });
  expect(await call({ graph: { nodes: [], edges: [] } })).toMatchObject({ valid: false });
  const { pool } = service.database;
  expect((await pool.query(`SELECT FROM organization_store`)).rows).toEqual([]);
  await client.close();
});

it("says what flows do to the world", async () => {
  const { pool } = service.database;
  const settings = { tool: { description: "…" } };
  const add = (id: string, ...nodes: TestNode[]) =>
    addFlow(pool, "org_two", id, { graph: chain(...nodes), settings });
  const get = node("get", "http-request", { url: "https://example.com" });
  await add("hint_pure", node("set", "set", { values: { a: 1 } }));
  await add("hint_reads", get, node("got", "store", { operation: "get", key: "a" }));
  await add("hint_posts", node("post", "http-request", { url: "https://example.com", body: {} }));
  await add(
    "hint_method",
    node("put", "http-request", { url: "https://example.com", method: "{{ data.m }}" }),
  );
  await add("hint_counts", node("count", "store", { operation: "increment", key: "a" }));
  await add("hint_inner", node("run", "run-flow", { flowId: "hint_counts" }));
  await add("hint_unknown", node("run", "run-flow", { flowId: "{{ data.flow }}" }));
  await addFlow(pool, "org_two", "hint_stated", {
    graph: chain(node("post", "http-request", { url: "https://example.com", method: "POST" })),
    settings: { tool: { description: "…", readOnly: true } },
  });
  const client = await connectSecond({ url: service.address, key: keys.two });
  const { tools } = await client.list();
  const hints = Object.fromEntries(
    tools
      .filter(({ name }) => name.startsWith("hint_"))
      .map(({ name, annotations: { readOnlyHint, destructiveHint, openWorldHint } = {} }) => [
        name.slice(5),
        [readOnlyHint && "reads", destructiveHint && "destroys", openWorldHint && "outside"]
          .filter(Boolean)
          .join(" "),
      ]),
  );
  await client.close();
  expect(hints).toEqual({
    pure: "reads",
    reads: "reads outside",
    posts: "destroys outside",
    method: "destroys outside",
    counts: "",
    inner: "",
    unknown: "destroys outside",
    stated: "reads outside",
  });
});
