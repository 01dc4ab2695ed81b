import { makeWebhookToken } from "../../src/operations/webhooks/make-webhook-token.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addFlow, addTwoOrganizations } from "../support/workspace.ts";

export interface WebhookService extends TestService {
  readonly keys: Awaited<ReturnType<typeof addTwoOrganizations>>;
  /** A flow with a webhook of its own; its path. */
  addWebhook(
    flowId: string,
    options?: { organizationId?: string; graph?: object; active?: boolean; settings?: object },
  ): Promise<string>;
  post(path: string, body?: unknown, headers?: Record<string, string>): ReturnType<TestService["send"]>;
  countRuns(): Promise<number>;
}

/** A flow that shows what arrived at its start node. */
export const showingGraph = {
  nodes: [
    { id: "start", type: "start", data: {} },
    { id: "show", type: "template", data: { inputs: { text: "Hello" } } },
    {
      id: "done",
      type: "return",
      data: { inputs: { value: { text: "{{ nodes.show.text }}", start: "{{ nodes.start }}" } } },
    },
  ],
  edges: [
    { id: "e1", source: "start", target: "show" },
    { id: "e2", source: "show", target: "done" },
  ],
};

export async function startWebhookService(env: Record<string, string> = {}): Promise<WebhookService> {
  const service = await startTestService({
    MILLRACE_WEBHOOK_REQUESTS_PER_10S: "0",
    MILLRACE_WEBHOOK_REQUESTS_PER_IP_10S: "0",
    ...env,
  });
  const db = service.database.pool;
  const keys = await addTwoOrganizations(db);
  return {
    ...service,
    keys,
    addWebhook: async (flowId, { organizationId = "org_one", graph = showingGraph, ...more } = {}) => {
      await addFlow(db, organizationId, flowId, { graph, ...more });
      const token = await makeWebhookToken({ db, secrets: service.secrets }, organizationId, flowId);
      return `/app/webhooks/millrace/${flowId}/${token}`;
    },
    post: (path, body, headers) => service.send("POST", path, { body, headers }),
    countRuns: async () => (await db.query(`SELECT count(*) AS count FROM runs`)).rows[0].count,
  };
}

/** The run once it has ended, as its API shows it. */
export async function endedRun(service: WebhookService, runId: string) {
  for (let at = 0; at < 500; at++) {
    const { body } = await service.get(`/api/runs/${runId}`, service.keys.one);
    if (body.data && !["WAITING", "EXECUTING", "PAUSED"].includes(body.data.status)) return body.data;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`the run ${runId} did not end`);
}
