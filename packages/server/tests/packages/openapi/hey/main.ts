import { createClient } from "./client/client/index.js";
import { getFlow, getRun, listRuns, streamRun, triggerRun } from "./client/sdk.gen.js";
import type { RunDetail } from "./client/types.gen.js";

/** The same with a generated client, and the stream of the run. */
export async function journey(baseUrl: string, apiKey: string) {
  const client = createClient({ baseUrl, auth: apiKey });
  const started = await triggerRun({
    client,
    query: { wait: "30s" },
    body: { payload: { flowId: "flow_hello", trigger: { body: { name: "hey-api" } } } },
    throwOnError: true,
  });
  const id = "id" in started.data.data ? started.data.data.id : started.data.data.queueId;
  const kinds: string[] = [];
  const { stream } = await streamRun({ client, path: { runId: id } });
  for await (const event of stream) if (event && "type" in event) kinds.push(event.type);
  const found = await getRun({ client, path: { runId: id }, throwOnError: true });
  const run: RunDetail = found.data.data;
  const listed = await listRuns({ client, query: { "page[size]": 1 }, throwOnError: true });
  const missing = await getFlow({ client, path: { flowId: "flow_nowhere" } });
  return {
    status: run.status,
    output: run.output,
    listed: listed.data.data.data.map((one) => one.id),
    id,
    code: missing.error?.code,
    kinds,
  };
}
