// What streaming through Millrace adds to a model's own pace: 200 replies at once, 50 tokens a second each, one process.
// node bench/agent-chat.ts [--replies 200] [--rate 50] [--seconds 15]
import { once } from "node:events";
import { Agent, type IncomingMessage, request as httpRequest } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startNode, stopChildren } from "./support/children.ts";
import { startCluster } from "./support/cluster.ts";
import { cpuBetween, readCpu } from "./support/cpu.ts";
import { monotonicMs } from "./support/monotonic.ts";
import { install } from "./support/service.ts";
import { percentile } from "./support/statistics.ts";
import { organization, ORGANIZATION } from "./support/workspace.ts";

const { values } = parseArgs({
  options: {
    replies: { type: "string", default: "200" },
    rate: { type: "string", default: "50" },
    seconds: { type: "string", default: "15" },
  },
});
const [replies, rate, seconds] = [Number(values.replies), Number(values.rate), Number(values.seconds)];

// Replies begin one after the other, as callers come; of the tokens only those count that are sent while all replies run.
const RAMP_MS = 5_000;
const FIRST_TOKEN_MS = 100;
const MAX_ADDED_P99_MS = 100;
const MAX_FIRST_TOKEN_MS = 30;

interface Measured {
  readonly firstTokenAddedMs: number;
  readonly tokens: readonly { readonly sentAtMs: number; readonly addedMs: number }[];
}

interface Target {
  readonly port: number;
  readonly key: string;
}

// Plain node:http: a client that costs more than the service would measure itself.
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

async function post(
  { port, key }: Target,
  path: string,
  body: object,
  accept: string,
): Promise<IncomingMessage> {
  const request = httpRequest({
    port,
    agent,
    host: "127.0.0.1",
    method: "POST",
    path: `/api/agents/agent_bench/sessions${path}`,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", accept },
  });
  request.end(JSON.stringify(body));
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`The service answered ${answer.statusCode}.`);
  return answer;
}

async function createSession(target: Target): Promise<string> {
  let text = "";
  for await (const chunk of await post(target, "", {}, "application/json")) text += String(chunk);
  return (JSON.parse(text) as { data: { sessionId: string } }).data.sessionId;
}

async function reply(target: Target, count: number): Promise<Measured> {
  const session = await createSession(target);
  const askedAtMs = monotonicMs();
  const answer = await post(target, `/${session}/messages`, { message: String(count) }, "text/event-stream");
  const tokens: { sentAtMs: number; addedMs: number }[] = [];
  let firstTokenAddedMs = Number.NaN;
  let end = "";
  let rest = "";
  answer.on("data", (chunk: Buffer) => {
    const atMs = monotonicMs();
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      if (!line.startsWith("data: ")) continue;
      const event = JSON.parse(line.slice(6)) as { type: string; delta?: string };
      if (event.type !== "text-delta") end = event.type;
      for (const token of event.delta?.trimEnd().split(" ") ?? []) {
        const [modelAskedAt, firstSentAt] = token.split(":").map(Number) as [number, number | undefined];
        const sentAtMs = firstSentAt ?? modelAskedAt;
        // Of the whole wait, what the model itself took is not ours.
        if (firstSentAt !== undefined) firstTokenAddedMs = atMs - askedAtMs - (firstSentAt - modelAskedAt);
        tokens.push({ sentAtMs, addedMs: atMs - sentAtMs });
      }
    }
  });
  await once(answer, "end");
  if (end !== "done" || tokens.length !== count) {
    throw new Error(`A reply ended with "${end}" after ${tokens.length} of ${count} tokens.`);
  }
  return { firstTokenAddedMs, tokens };
}

function show(name: string, list: readonly number[], bar: number): void {
  const [p50, p99] = [percentile(list, 50), percentile(list, 99)].map((ms) => ms.toFixed(1));
  console.log(`${name.padEnd(46)} p50 ${p50} ms  p99 ${p99} ms  (bar ${bar} ms, n = ${list.length})`);
}

const cluster = await startCluster({ statements: false });
try {
  const model = startNode(fileURLToPath(import.meta.resolve("./model-server.ts")), [
    String(rate),
    String(FIRST_TOKEN_MS),
  ]);
  const [address] = (await once(model.process.stdout!, "data")) as [Buffer];
  const installation = await install(cluster, "chat");
  await installation.apply([
    organization(ORGANIZATION),
    {
      kind: "Agent",
      id: "agent_bench",
      organizationId: ORGANIZATION,
      name: "Bench",
      design: { provider: { type: "openai-compatible", baseUrl: address.toString().trim(), model: "m" } },
    },
  ]);
  const key = await installation.createKey(ORGANIZATION);
  const { port, child } = await installation.start("start");
  const target = { port, key };

  for (let round = 0; round < 20; round++) await reply(target, 5);
  const idle: number[] = [];
  for (let round = 0; round < 50; round++) idle.push((await reply(target, 3)).firstTokenAddedMs);

  const before = await readCpu(child.pid, installation.database.pool);
  const startedAtMs = monotonicMs();
  const count = Math.round(rate * (seconds + RAMP_MS / 1000));
  const measured = await Promise.all(
    Array.from({ length: replies }, async (_, at) => {
      await sleep((at * RAMP_MS) / replies);
      return reply(target, count);
    }),
  );
  const elapsedMs = monotonicMs() - startedAtMs;
  const after = await readCpu(child.pid, installation.database.pool);

  const [fromMs, toMs] = [startedAtMs + RAMP_MS, startedAtMs + seconds * 1000];
  const added = measured
    .flatMap(({ tokens }) => tokens)
    .filter(({ sentAtMs }) => sentAtMs >= fromMs && sentAtMs <= toMs)
    .map(({ addedMs }) => addedMs);
  const first = measured.map(({ firstTokenAddedMs }) => firstTokenAddedMs);
  console.log(`${replies} replies at once, ${rate} tokens a second each, ${seconds} s`);
  show("added to each token", added, MAX_ADDED_P99_MS);
  show("added to the first token, idle service", idle, MAX_FIRST_TOKEN_MS);
  show("added to the first token, while others stream", first, MAX_FIRST_TOKEN_MS);
  if (before && after) {
    const { processMs, postgresMs } = cpuBetween(child.pid, before, after);
    const share = (ms: number) => `${((ms / elapsedMs) * 100).toFixed(0)} % of a core`;
    const each = (ms: number) => `${((ms / (replies * count)) * 1000).toFixed(0)} µs a token`;
    console.log(
      `CPU of the service ${share(processMs)}, ${each(processMs)}; of its database sessions ${share(postgresMs)}`,
    );
  }
  const firstMet = [idle, first].every((list) => percentile(list, 50) <= MAX_FIRST_TOKEN_MS);
  process.exitCode = firstMet && percentile(added, 99) <= MAX_ADDED_P99_MS ? 0 : 1;
  await installation.remove();
} finally {
  agent.destroy();
  await stopChildren();
  await cluster.stop();
}
