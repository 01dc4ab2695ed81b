// What streaming through Millrace adds to a model's own pace: 200 replies at once, 50 tokens a second each, one process.
// npm run bench:chat  ·  node bench/agent-chat.ts [--replies 200] [--rate 50] [--seconds 15]
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { stopChildren } from "./support/children.ts";
import { startCluster } from "./support/cluster.ts";
import { cpuBetween, readCpu } from "./support/cpu.ts";
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

// Replies begin one after the other, as callers come; only what happens while all of them run is counted.
const RAMP_MS = 5_000;
const FIRST_TOKEN_MS = 100;
const MOST_ADDED_P99_MS = 100;
const MOST_FIRST_TOKEN_MS = 30;

const nowMs = () => performance.now();

interface Exchange {
  askedAtMs: number;
  firstSentAtMs: number;
}

/** A model server with a steady pace; each token is the time at which it was sent. */
async function startModelServer(): Promise<{
  server: Server;
  baseUrl: string;
  exchanges: Map<string, Exchange>;
}> {
  const exchanges = new Map<string, Exchange>();
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const { messages } = JSON.parse(body) as { messages: { content: string }[] };
      const [name, tokens] = messages.at(-1)!.content.split(" ") as [string, string];
      const exchange = { askedAtMs: nowMs(), firstSentAtMs: 0 };
      exchanges.set(name, exchange);
      void speak(response, exchange, Number(tokens));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, exchanges, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

async function speak(response: ServerResponse, exchange: Exchange, tokens: number): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  await sleep(FIRST_TOKEN_MS);
  exchange.firstSentAtMs = nowMs();
  for (let token = 0; token < tokens; token++) {
    const dueAtMs = exchange.firstSentAtMs + (token * 1000) / rate;
    const waitMs = dueAtMs - nowMs();
    if (waitMs > 1) await sleep(waitMs);
    const content = `${nowMs().toFixed(2)} `;
    response.write(
      `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"${content}"},"finish_reason":null}]}\n\n`,
    );
  }
  response.write(
    `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n`,
  );
  response.end("data: [DONE]\n\n");
}

interface Measured {
  readonly firstTokenAddedMs: number;
  readonly added: readonly { readonly sentAtMs: number; readonly addedMs: number }[];
}

const cluster = await startCluster({ statements: false });
const model = await startModelServer();
try {
  const installation = await install(cluster, "chat");
  await installation.apply([
    organization(ORGANIZATION),
    {
      kind: "Agent",
      id: "agent_bench",
      organizationId: ORGANIZATION,
      name: "Bench",
      design: { provider: { type: "openai-compatible", baseUrl: model.baseUrl, model: "m" } },
    },
  ]);
  const key = await installation.createKey(ORGANIZATION);
  const { port, child } = await installation.start("start");
  const base = `http://127.0.0.1:${port}/api/agents/agent_bench/sessions`;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

  const reply = async (name: string, tokens: number): Promise<Measured> => {
    const made = await fetch(base, { method: "POST", headers, body: "{}" });
    const { data } = (await made.json()) as { data: { sessionId: string } };
    const postedAtMs = nowMs();
    const answer = await fetch(`${base}/${data.sessionId}/messages`, {
      method: "POST",
      headers: { ...headers, accept: "text/event-stream" },
      body: JSON.stringify({ message: `${name} ${tokens}` }),
    });
    if (answer.status !== 200)
      throw new Error(`The service answered ${answer.status}: ${await answer.text()}`);
    const added: { sentAtMs: number; addedMs: number }[] = [];
    let firstAtMs: number | undefined;
    let ended = false;
    let rest = "";
    for await (const chunk of answer.body!) {
      const atMs = nowMs();
      const lines = (rest + Buffer.from(chunk as Uint8Array).toString()).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        if (!line.startsWith("data: ")) continue;
        const event = JSON.parse(line.slice(6)) as { type: string; delta?: string };
        if (event.type !== "text-delta") ended = event.type === "done";
        for (const token of event.delta?.split(" ") ?? []) {
          if (token === "") continue;
          firstAtMs ??= atMs;
          added.push({ sentAtMs: Number(token), addedMs: atMs - Number(token) });
        }
      }
    }
    if (!ended || added.length !== tokens)
      throw new Error(`A reply came with ${added.length} of ${tokens} tokens.`);
    const { askedAtMs, firstSentAtMs } = model.exchanges.get(name)!;
    // Of the whole wait, what the model itself took is not ours.
    return { firstTokenAddedMs: firstAtMs! - postedAtMs - (firstSentAtMs - askedAtMs), added };
  };

  for (let round = 0; round < 20; round++) await reply(`warm-${round}`, 5);
  const idle: number[] = [];
  for (let round = 0; round < 30; round++) idle.push((await reply(`idle-${round}`, 3)).firstTokenAddedMs);

  const before = await readCpu(child.pid, installation.database.pool);
  const startedAtMs = nowMs();
  const tokens = rate * seconds + (rate * RAMP_MS) / 1000;
  const measured = await Promise.all(
    Array.from({ length: replies }, async (_, at) => {
      await sleep((at * RAMP_MS) / replies);
      return reply(`reply-${at}`, tokens);
    }),
  );
  const elapsedMs = nowMs() - startedAtMs;
  const after = await readCpu(child.pid, installation.database.pool);

  const [fromMs, toMs] = [startedAtMs + RAMP_MS, startedAtMs + seconds * 1000];
  const added = measured
    .flatMap((one) => one.added)
    .filter(({ sentAtMs }) => sentAtMs >= fromMs && sentAtMs <= toMs)
    .map(({ addedMs }) => addedMs);
  const first = measured.map(({ firstTokenAddedMs }) => firstTokenAddedMs);
  const show = (name: string, list: readonly number[], bar: number) => {
    const [p50, p99] = [percentile(list, 50), percentile(list, 99)].map((ms) => ms.toFixed(1));
    console.log(`${name.padEnd(44)} p50 ${p50} ms  p99 ${p99} ms  (bar ${bar} ms, n = ${list.length})`);
  };
  console.log(`${replies} replies at once, ${rate} tokens a second each, ${seconds} s`);
  show("added to each token", added, MOST_ADDED_P99_MS);
  show("added to the first token, idle service", idle, MOST_FIRST_TOKEN_MS);
  show("added to the first token, while others stream", first, MOST_FIRST_TOKEN_MS);
  if (before && after) {
    const { processMs, postgresMs } = cpuBetween(child.pid, before, after);
    const share = (ms: number) => `${((ms / elapsedMs) * 100).toFixed(0)} %`;
    console.log(
      `CPU of the service ${share(processMs)} of a core, of its database sessions ${share(postgresMs)}`,
    );
  }
  const met = percentile(added, 99) <= MOST_ADDED_P99_MS && percentile(idle, 50) <= MOST_FIRST_TOKEN_MS;
  process.exitCode = met ? 0 : 1;
  await installation.remove();
} finally {
  await stopChildren();
  model.server.closeAllConnections();
  model.server.close();
  await cluster.stop();
}
