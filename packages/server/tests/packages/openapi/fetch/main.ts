import createClient from "openapi-fetch";
import type { components, paths } from "./schema.d.ts";

type RunDetail = components["schemas"]["RunDetail"];

/** Trigger, wait, list, fail: what somebody does with types alone. */
export async function journey(baseUrl: string, apiKey: string) {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${apiKey}` } });
  const started = await client.POST("/api/runs", {
    params: { query: { wait: "30s" }, header: { "Idempotency-Key": "by-openapi-fetch" } },
    body: { payload: { flowId: "flow_hello", trigger: { body: { name: "openapi-fetch" } } } },
  });
  if (started.error) throw new Error(started.error.message ?? started.error.error);
  const id = "id" in started.data.data ? started.data.data.id : started.data.data.queueId;
  const found = await client.GET("/api/runs/{runId}", { params: { path: { runId: id } } });
  const run: RunDetail | undefined = found.data?.data;
  const listed = await client.GET("/api/runs", {
    params: { query: { "page[size]": 1, "filter[status]": "COMPLETED" } },
  });
  const missing = await client.GET("/api/flows/{flowId}", { params: { path: { flowId: "flow_nowhere" } } });
  return {
    status: run?.status,
    output: run?.output,
    listed: listed.data?.data.data.map((one) => one.id),
    id,
    code: missing.error?.code,
  };
}
