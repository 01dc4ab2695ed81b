import {
  type Agent,
  type Agents,
  type CallOptions,
  type CatalogueRequest,
  type ChatEvent,
  type ClientOptions,
  type ErrorDetails,
  type Flow,
  type FlowRun,
  type Flows,
  type Identity,
  type Issue,
  type MessageReply,
  type MessageRequest,
  MillraceClient,
  MillraceError,
  type ErrorCode,
  type ForkRequest,
  type ForkStart,
  isMillraceError,
  type MillraceEvent,
  NotFoundError,
  type Page,
  type PagePromise,
  type PageRequest,
  type Queue,
  type QueueItem,
  type QueueItemCanceled,
  type QueueItemDetail,
  type ResumeRequest,
  type ResumeStreamRequest,
  type Run,
  type RunCanceled,
  type RunDetail,
  type RunFilter,
  type RunNode,
  type RunResumed,
  type Runs,
  type RunsRequest,
  type RunStart,
  type RunStreamEvent,
  type RunStreamOptions,
  type Session,
  type SessionRequest,
  type Sessions,
  type TriggerOptions,
  type TriggerRequest,
  webhooks,
} from "@millrace/client";
import { MillraceClient as CoreClient } from "@millrace/client/core";

type Same<Left, Right> =
  (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false;
type Of<Call extends (...args: never) => unknown> = Awaited<ReturnType<Call>>;
type Item<Call extends (...args: never) => AsyncIterable<unknown>> =
  ReturnType<Call> extends AsyncIterable<infer Event> ? Event : never;
type Expect<Truth extends true> = Truth;

/** Whatever a call takes or returns has a name. */
export type Named = [
  Expect<Same<ConstructorParameters<typeof MillraceClient>, [ClientOptions]>>,
  Expect<Same<Parameters<MillraceClient["validate"]>[0], CallOptions | undefined>>,
  Expect<Same<Of<MillraceClient["validate"]>, Identity>>,
  Expect<Same<Parameters<Flows["list"]>[0], CatalogueRequest | undefined>>,
  Expect<Same<Of<Flows["list"]>, Page<Flow>>>,
  Expect<Same<Of<Flows["get"]>, Flow>>,
  Expect<Same<Parameters<Flows["runs"]>[1], (RunFilter & PageRequest) | undefined>>,
  Expect<Same<Of<Flows["runs"]>, Page<FlowRun>>>,
  Expect<Same<Of<Agents["list"]>, Page<Agent>>>,
  Expect<Same<Parameters<Runs["trigger"]>[0], TriggerRequest>>,
  Expect<Same<Of<Runs["trigger"]>, RunStart>>,
  Expect<Same<Parameters<Runs["list"]>[0], RunsRequest | undefined>>,
  Expect<Same<Of<Runs["list"]>, Page<Run>>>,
  Expect<Same<ReturnType<Runs["list"]>, PagePromise<Run>>>,
  Expect<Same<Item<Runs["list"]>, Run>>,
  Expect<Same<Parameters<Runs["fork"]>[1], ForkRequest | undefined>>,
  Expect<Same<Of<Runs["fork"]>, ForkStart>>,
  Expect<Same<Of<Runs["triggerAndWait"]>, RunDetail>>,
  Expect<Same<Of<(typeof webhooks)["unwrap"]>, MillraceEvent>>,
  Expect<ErrorCode extends MillraceError["code"] ? true : false>,
  Expect<TriggerOptions extends CallOptions ? true : false>,
  Expect<MillraceClient extends CoreClient ? true : false>,
  Expect<Same<Of<Runs["get"]>, RunDetail>>,
  Expect<Same<Of<Runs["nodes"]>, readonly RunNode[]>>,
  Expect<Same<Of<Runs["cancel"]>, RunCanceled>>,
  Expect<Same<Parameters<Runs["resume"]>[1], ResumeRequest>>,
  Expect<Same<Of<Runs["resume"]>, RunResumed>>,
  Expect<Same<Parameters<Runs["stream"]>[1], RunStreamOptions | undefined>>,
  Expect<Same<Item<Runs["stream"]>, RunStreamEvent>>,
  Expect<Same<Of<Queue["list"]>, readonly QueueItem[]>>,
  Expect<Same<Of<Queue["get"]>, QueueItemDetail>>,
  Expect<Same<Of<Queue["cancel"]>, QueueItemCanceled>>,
  Expect<Same<Parameters<Sessions["create"]>[1], SessionRequest | undefined>>,
  Expect<Same<Of<Sessions["create"]>, Session>>,
  Expect<Same<Parameters<Sessions["send"]>[2], MessageRequest>>,
  Expect<Same<Of<Sessions["send"]>, MessageReply>>,
  Expect<Same<Item<Sessions["stream"]>, ChatEvent>>,
  Expect<Same<Parameters<Sessions["resume"]>[2], ResumeStreamRequest | undefined>>,
  Expect<Same<MillraceError["issues"], readonly Issue[] | undefined>>,
  Expect<MillraceError extends ErrorDetails ? true : false>,
];

/** The compiler has to write down what each of these returns. */
export const calls = (millrace: MillraceClient) => ({
  who: millrace.validate(),
  flows: millrace.flows.list(),
  runs: millrace.runs.list({ status: ["FAILED"] }),
  nodes: millrace.runs.nodes("run_x"),
  events: millrace.runs.stream("run_x", { nodes: true }),
  queue: millrace.queue.list("org_x"),
  chat: millrace.sessions.stream("agent_x", "session_x", { message: "Hello" }),
});

const [baseUrl = "", apiKey = ""] = process.argv.slice(2);
const millrace = new MillraceClient({ baseUrl, apiKey });
const request: TriggerRequest = {
  payload: { flowId: "flow_hello", trigger: { body: { name: "TypeScript" } } },
};
const started = await millrace.runs.trigger(request);
if (started.status === "queued") throw new Error(started.queueId);
const missing: unknown = await new CoreClient({ baseUrl, apiKey }).flows
  .get("flow_nowhere")
  .catch((error: unknown) => error);
if (!(missing instanceof NotFoundError) || !isMillraceError(missing)) throw missing;
const code: ErrorCode | "connection_failed" | "timed_out" | "unexpected_answer" = missing.code;
if (code !== "flow_not_found") throw missing;
const kinds: RunStreamEvent["type"][] = [];
for await (const event of millrace.runs.stream(started.id)) kinds.push(event.type);
const { status, output } = await millrace.runs.get(started.id);
const refused: unknown = await new MillraceClient({ baseUrl, apiKey: "mr_org_wrong" })
  .validate({ signal: AbortSignal.timeout(60_000) })
  .catch((error: unknown) => error);
console.log(
  JSON.stringify({
    status,
    output,
    refused: refused instanceof MillraceError && refused.code,
    ended: kinds.at(-1) === "completed",
  }),
);
