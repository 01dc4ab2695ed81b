import { secretPlace } from "../../../src/domain/secret-place.ts";
import { putCredential } from "../../../src/storage/catalogue/put-credential.ts";
import { type LoopbackServer, readText, startLoopbackServer } from "../../support/loopback-server.ts";
import { chain, node, type TestNode } from "../../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../../support/runs-service.ts";
import { type SmtpServer, startSmtpServer } from "../../support/smtp-server.ts";

export const form = {
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

export let service: RunTestService;
export let receiver: LoopbackServer;
export let mails: SmtpServer;
/** How many of the next requests it fails. */
export const receiving = { failures: 0 };
export const received: { path: string; key: string; authorization: string; body: Record<string, unknown> }[] =
  [];

export async function start(): Promise<void> {
  service = await startRunService({ concurrency: 5 });
  mails = await startSmtpServer({ user: "shop@example.com", password: "secret" });
  receiver = await startLoopbackServer(async (request, response) => {
    const text = await readText(request);
    const { authorization = "", "idempotency-key": key } = request.headers;
    received.push({ path: request.url!, key: String(key), authorization, body: JSON.parse(text || "{}") });
    response.writeHead(receiving.failures-- > 0 ? 503 : 200).end("{}");
  });
  await credential("cred_http", "http-bearer", { token: "t0ken" }, ["127.0.0.1"]);
  const { port } = mails;
  const login = { user: "shop@example.com", password: "secret" };
  await credential("cred_mail", "smtp", { host: "127.0.0.1", port: String(port), secure: "false", ...login });
}

export async function stop(): Promise<void> {
  await service.stop();
  await receiver.close();
  await mails.close();
}

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
export async function asking(inputs: object, data: object = {}, before: TestNode[] = []) {
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
export const post = (path: string, fields: Record<string, string>) =>
  service.send("POST", path, {
    body: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
export const resume = (id: string, body: object, key = service.key) =>
  service.send("POST", `/api/runs/${id}/resume`, { key, body });
