import { MillraceClient, type TriggerRequest } from "@millrace/client";

const order = (customer: string, items: readonly object[]): TriggerRequest => ({
  payload: { flowId: "flow_fruit", trigger: { body: { customer, items } } },
  tags: [`customer:${customer.toLowerCase()}`],
});

/** A run for everything that the console can show: branches, rounds, waiting, a question, a failure, one under way. */
const DEMO_RUNS: readonly TriggerRequest[] = [
  { payload: { flowId: "flow_hello", trigger: { body: { name: "Ada" } } } },
  { payload: { flowId: "flow_branch", data: { amount: 250, country: "TR" } } },
  { payload: { flowId: "flow_branch", data: { amount: 5, country: "NZ" } } },
  { payload: { flowId: "flow_loop" } },
  { payload: { flowId: "flow_parent", data: { name: "Ada" } } },
  { payload: { flowId: "flow_http" } },
  order("Ada", [
    { name: "pears", count: 3 },
    { name: "apples", count: 4 },
  ]),
  order("Grace", [{ name: "crates", count: 2 }]),
  order("Alan", [
    { name: "plums", count: 5 },
    { name: "cherries", count: 1 },
  ]),
  { payload: { flowId: "flow_approval" } },
  { payload: { flowId: "flow_reminder", data: { name: "Ada" } } },
  { payload: { flowId: "flow_hello" }, delay: "2h" },
  // A minute: whoever follows the sign-in link sees it at work.
  { payload: { flowId: "flow_watch", data: { rounds: 20 } } },
];

const TIMEOUT_MS = 10_000;

/** So that no page is empty when somebody looks for the first time. They are made as anybody would make them. */
export async function makeDemoRuns(baseUrl: string, apiKey: string, stopping: AbortSignal): Promise<void> {
  const client = new MillraceClient({ baseUrl, apiKey });
  const options = { signal: AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]) };
  for (const request of DEMO_RUNS) await client.runs.trigger(request, options);
  const { sessionId } = await client.sessions.create("agent_helper", { endUserId: "ada" }, options);
  await client.sessions.send("agent_helper", sessionId, { message: "Hello, who are you?" }, options);
}
