import { MillraceClient, MillraceError, type RunDetail } from "@millrace/client";

/** What a page would do; it is compiled with the library of browsers alone. */
export async function call(baseUrl: string, apiKey: string): Promise<string> {
  const controller = new AbortController();
  const millrace = new MillraceClient({ baseUrl, apiKey, fetch: (input, init) => fetch(input, init) });
  const started = await millrace.runs.trigger({
    payload: { flowId: "flow_hello", trigger: { body: { name: "browser" } } },
  });
  if (started.status === "queued") throw new Error(started.queueId);
  const run: RunDetail = await millrace.runs.wait(started.id, { signal: controller.signal });
  const refused: unknown = await new MillraceClient({ baseUrl, apiKey: "mr_org_wrong" })
    .validate()
    .catch((error: unknown) => error);
  return JSON.stringify({
    status: run.status,
    output: run.output,
    refused: refused instanceof MillraceError && refused.code,
  });
}
