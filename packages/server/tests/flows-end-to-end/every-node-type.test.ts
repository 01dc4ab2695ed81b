import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server } from "node:net";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { readText, startLoopbackServer, type LoopbackServer } from "../support/loopback-server.ts";
import { startMcpServer, type McpServer } from "../support/mcp-server.ts";
import { startOpenAiServer, type OpenAiServer } from "../support/openai-server.ts";
import { startSmtpServer, type SmtpServer } from "../support/smtp-server.ts";
import { flowOf, report, type TestNode, withFile } from "./dry-run.ts";

let web: LoopbackServer;
let tools: McpServer;
let model: OpenAiServer;
let mail: SmtpServer;
/** The tests' PostgreSQL listens on a Unix socket; this door makes it a database somewhere on the network. */
let database: Server;

beforeAll(async () => {
  web = await startLoopbackServer(async (request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ method: request.method, sent: await readText(request) }));
  });
  tools = await startMcpServer([
    { name: "add", call: ({ a, b }) => ({ content: [], structuredContent: { sum: Number(a) + Number(b) } }) },
  ]);
  model = await startOpenAiServer(() => ({ text: "Ada it is." }));
  mail = await startSmtpServer({ user: "shop@example.com", password: "smtp-password" });
  const { host, port = 5432 } = inject("postgres");
  database = createServer((client) => {
    const real = connect(`${host}/.s.PGSQL.${port}`);
    client.on("error", () => real.destroy()).on("close", () => real.destroy());
    real.on("error", () => client.destroy()).on("close", () => client.destroy());
    client.pipe(real).pipe(client);
  });
  database.listen(0, "127.0.0.1");
  await once(database, "listening");
});
afterAll(async () => {
  await Promise.all([web.close(), tools.close(), model.close(), mail.close()]);
  database.close();
});

function databaseUrl(): string {
  const { user, password, database: name } = inject("postgres");
  const url = new URL(`postgres://127.0.0.1:${(database.address() as AddressInfo).port}/${name}`);
  url.username = String(user);
  url.password = String(password);
  return url.href;
}

const credential = (id: string, type: string, secret: object, allowedHosts: string[] = ["127.0.0.1"]) => ({
  kind: "Credential",
  id,
  organizationId: "org_a",
  type,
  allowedHosts,
  allowUnencrypted: true,
  secret,
});

interface Case {
  readonly nodes: readonly TestNode[];
  readonly edges: readonly string[];
  readonly others?: readonly object[];
  readonly output?: object;
  readonly error?: object;
}

const node = (id: string, type: string, inputs: object = {}, more: object = {}): TestNode => ({
  id,
  type,
  data: { inputs, ...more },
});
const inside = (parentId: string, child: TestNode): TestNode => ({ ...child, parentId });
/** One node between start and return, which hands on what the node has made. */
const alone = (type: string, inputs: object, output: object, more: object = {}): Case => ({
  nodes: [node("it", type, inputs, more), node("done", "return", { value: "{{ nodes.it }}" })],
  edges: ["start it", "it done"],
  output,
});
const forked = (type: string, inputs: object, handle: string, output: object): Case => ({
  nodes: [
    node("it", type, inputs),
    node("way", "return", { value: { came: handle } }),
    node("other", "return", { value: { came: "elsewhere" } }),
  ],
  edges: ["start it", `it:${handle} way`, ...otherHandles(type, handle).map((name) => `it:${name} other`)],
  output,
});
const otherHandles = (type: string, handle: string) =>
  ({ if: ["true", "false"], switch: ["small", "default"], approval: ["approved", "rejected", "timeout"] })[
    type
  ]!.filter((name) => name !== handle);

const trigger = {
  body: { name: "Ada", list: [3, 1, 2], text: "x" },
  headers: { a: "b" },
  query: {},
  method: "PUT",
};

const cases: Record<string, () => Case> = {
  start: () => ({
    nodes: [node("done", "return", { value: "{{ nodes.start }}" })],
    edges: ["start done"],
    output: trigger,
  }),
  set: () => alone("set", { values: { a: "{{ trigger.body.name }}", b: [1] } }, { a: "Ada", b: [1] }),
  template: () => alone("template", { text: "Hi {{ trigger.body.name }}" }, { text: "Hi Ada" }),
  transform: () =>
    alone(
      "transform",
      { input: "{{ trigger.body.list }}", expression: "$sort($)[[0..1]]" },
      { value: [1, 2] },
    ),
  code: () =>
    alone("code", { input: "{{ trigger.body.list }}", source: "return { n: input.length };" }, { n: 3 }),
  "http-request": () =>
    alone(
      "http-request",
      { url: web.url, method: "POST", body: { name: "{{ trigger.body.name }}" } },
      expect.objectContaining({ status: 200, body: { method: "POST", sent: '{"name":"Ada"}' } }),
      { credential: "cred_web" },
    ),
  if: () => forked("if", { condition: "{{ trigger.body.name = 'Ada' }}" }, "true", { came: "true" }),
  switch: () =>
    forked(
      "switch",
      { value: "{{ $count(trigger.body.list) }}", cases: [{ name: "small", equals: 3 }] },
      "small",
      { came: "small" },
    ),
  filter: () =>
    alone("filter", { items: "{{ trigger.body.list }}", condition: "{{ item > 1 }}" }, { items: [3, 2] }),
  list: () => alone("list", { items: "{{ trigger.body.list }}", operation: "sort" }, { items: [1, 2, 3] }),
  merge: () =>
    alone("merge", { mode: "append", sources: [[1], "{{ trigger.body.list }}"] }, { value: [1, 3, 1, 2] }),
  "for-each": () => ({
    nodes: [
      node("it", "for-each", { items: "{{ trigger.body.list }}", concurrency: 2 }),
      inside("it", node("twice", "set", { values: { n: "{{ item * 2 }}" } })),
      node("done", "return", { value: "{{ nodes.it }}" }),
    ],
    edges: ["start it", "it:done done"],
    output: { items: [{ n: 6 }, { n: 2 }, { n: 4 }], errors: [] },
  }),
  while: () => ({
    nodes: [
      node("it", "while", { condition: "{{ index < 3 }}" }),
      inside("it", node("round", "set", { values: { n: "{{ index }}" } })),
      node("done", "return", { value: "{{ nodes.it }}" }),
    ],
    edges: ["start it", "it:done done"],
    output: { iterations: 3, last: { n: 2 } },
  }),
  wait: () => alone("wait", { duration: "2h" }, { waitedUntil: expect.stringMatching(/^\d{4}-.*Z$/) }),
  approval: () => forked("approval", { message: "Sure?" }, "approved", { came: "approved" }),
  "run-flow": () => ({
    ...alone(
      "run-flow",
      { flowId: "flow_child", data: { name: "{{ trigger.body.name }}" } },
      expect.objectContaining({ status: "COMPLETED", output: { text: "Hello Ada" } }),
    ),
    others: [
      flowOf(
        "flow_child",
        [node("done", "return", { value: { text: "Hello {{ data.name }}" } })],
        ["start done"],
      ),
    ],
  }),
  return: () => ({
    nodes: [node("done", "return", { value: { a: 1 } })],
    edges: ["start done"],
    output: { a: 1 },
  }),
  fail: () => ({
    nodes: [node("it", "fail", { message: "No {{ trigger.body.name }}" })],
    edges: ["start it"],
    error: { nodeId: "it", message: "No Ada" },
  }),
  llm: () =>
    alone(
      "llm",
      { model: "small-1", prompt: "Who? {{ trigger.body.name }}" },
      expect.objectContaining({ text: "Ada it is." }),
      { credential: "cred_model" },
    ),
  agent: () => ({
    ...alone(
      "agent",
      { agentId: "agent_demo", message: "{{ trigger.body.name }}" },
      { text: expect.stringContaining('"Ada"'), sessionId: expect.stringMatching(/^session_/) },
    ),
    others: [
      {
        kind: "Agent",
        id: "agent_demo",
        organizationId: "org_a",
        name: "A",
        design: { provider: { type: "demo" } },
      },
    ],
  }),
  "mcp-tool": () =>
    alone(
      "mcp-tool",
      { url: tools.url, tool: "add", arguments: { a: "{{ trigger.body.list[0] }}", b: 4 } },
      expect.objectContaining({ structured: { sum: 7 } }),
    ),
  sql: () =>
    alone(
      "sql",
      { query: "SELECT $1::text AS name", parameters: ["{{ trigger.body.name }}"] },
      { rows: [{ name: "Ada" }], rowCount: 1 },
      { credential: "cred_db" },
    ),
  email: () =>
    alone(
      "email",
      { to: "ada@example.com", subject: "Hi", text: "{{ trigger.body.name }}" },
      { messageId: expect.any(String) },
      { credential: "cred_mail" },
    ),
  store: () => ({
    nodes: [
      node("put", "store", { operation: "set", key: "k", value: 4 }),
      node("count", "store", { operation: "increment", key: "k", value: 2 }),
      node("get", "store", { operation: "get", key: "k" }),
      node("drop", "store", { operation: "delete", key: "k" }),
      node("none", "store", { operation: "get", key: "k" }),
      node("done", "return", {
        value: { got: "{{ nodes.get.value }}", gone: "{{ nodes.none.value = null }}" },
      }),
    ],
    edges: ["start put", "put count", "count get", "get drop", "drop none", "none done"],
    output: { got: 6, gone: true },
  }),
};

it("there is a flow for every type of the catalogue", () => {
  expect(Object.keys(cases).sort()).toEqual([...nodeTypes.keys()].sort());
});

it.each(Object.keys(cases))("a flow with %s runs with the real parts", async (type) => {
  const { nodes, edges, others = [], output, error } = cases[type]!();
  const documents = [
    flowOf("flow_it", nodes, edges),
    credential("cred_web", "http-bearer", { token: { env: "TOKEN" } }),
    credential("cred_model", "model-provider", { baseUrl: model.baseUrl, apiKey: { env: "TOKEN" } }),
    credential("cred_db", "postgres", { connectionString: { env: "DB" } }),
    credential("cred_mail", "smtp", {
      host: "127.0.0.1",
      port: mail.port,
      user: "shop@example.com",
      password: "smtp-password",
      secure: "false",
    }),
    ...others,
  ];
  const env = { TOKEN: "token-of-test", DB: databaseUrl() };
  const { result } = await withFile(documents, (path) => report([path], { flowId: "flow_it", trigger, env }));
  if (error) expect(result).toMatchObject({ status: "FAILED", error });
  else expect(result).toMatchObject({ status: "COMPLETED" });
  if (output) expect((result as { output: unknown }).output).toEqual(output);
});
