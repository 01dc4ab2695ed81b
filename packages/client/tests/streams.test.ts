import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startLoopbackServer } from "../../server/tests/support/loopback-server.ts";
import { type Gate, startGate } from "../../server/tests/support/runs-gate.ts";
import { chain, node } from "../../server/tests/support/runs-flows.ts";
import { startRunService, type RunTestService } from "../../server/tests/support/runs-service.ts";
import { addAgent } from "../../server/tests/support/workspace.ts";
import { type ChatEvent, MillraceClient, type RunStreamEvent } from "../src/client.ts";
import { startFaultyProxy } from "./support/faulty-proxy.ts";

let gate: Gate;
let service: RunTestService;
beforeAll(async () => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  gate = await startGate();
  service = await startRunService({ concurrency: 20 });
  await addAgent(service.database.pool, "org_run", "agent_one");
  await service.flow(
    "flow_held",
    chain(
      node("first", "set", { values: { a: 1 } }),
      gate.node("hold"),
      node("done", "return", { value: { held: true } }),
    ),
  );
});
afterAll(async () => {
  vi.restoreAllMocks();
  await gate.close();
  await service.stop();
});

const through = async (
  onStream: (response: ServerResponse, piece: string) => void,
  use: (millrace: MillraceClient) => Promise<void>,
) => {
  const proxy = await startFaultyProxy(service.address, () => undefined, onStream);
  try {
    await use(new MillraceClient({ baseUrl: proxy.url, apiKey: service.key }));
  } finally {
    await proxy.close();
  }
};

describe("the stream of a run", () => {
  it("goes on over connections that are cut, and tells nothing twice", async () => {
    let connections = 0;
    let pieces = 0;
    const cutting = (response: ServerResponse, piece: string) => {
      pieces += 1;
      if (piece.includes('"connected"')) connections += 1;
      response.write(piece, () => {
        if (connections < 3) response.destroy();
        else gate.open();
      });
    };
    await through(cutting, async (millrace) => {
      const runId = await service.begin("flow_held");
      const events: RunStreamEvent[] = [];
      for await (const event of millrace.runs.stream(runId, { nodes: true })) {
        events.push(event);
      }
      expect(events.filter(({ type }) => type === "connected")).toHaveLength(1);
      expect(events.at(-1)).toEqual({ type: "completed", status: "COMPLETED" });
      const texts = events.map((event) => JSON.stringify(event));
      expect(new Set(texts).size).toBe(texts.length);
      const ended = events.flatMap((event) =>
        event.type === "node" && event.data.completedAt !== undefined ? [event.data.nodeKey] : [],
      );
      expect(ended.toSorted()).toEqual(["done", "first", "hold", "start"]);
      expect(pieces).toBeGreaterThan(3);
    });
    expect(connections).toBe(3);
  });

  it("tells what is sent twice once", async () => {
    const doubling = (response: ServerResponse, piece: string) => void response.write(piece + piece);
    await through(doubling, async (millrace) => {
      const runId = await service.begin("flow_held");
      const events: string[] = [];
      for await (const event of millrace.runs.stream(runId, { nodes: true })) {
        events.push(JSON.stringify(event));
        gate.open();
      }
      expect(new Set(events).size).toBe(events.length);
      expect(events.at(-1)).toContain('"completed"');
    });
  });

  it("is given up when nothing new comes over many connections, and ends where it is left", async () => {
    let opened = 0;
    const server = await startLoopbackServer((_request, response) => {
      opened += 1;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('id: 1\ndata: {"type":"connected","runId":"run_x"}\n\n', () => response.destroy());
    });
    const millrace = new MillraceClient({ baseUrl: server.url, apiKey: "k", maxRetries: 2 });
    const events: unknown[] = [];
    const read = async () => {
      for await (const event of millrace.runs.stream("run_x")) events.push(event);
    };
    await expect(read()).rejects.toMatchObject({ code: "connection_failed" });
    expect({ opened, events: events.length }).toEqual({ opened: 3, events: 1 });
    await server.close();
  });
});

describe("a chat", () => {
  const textOf = (events: readonly ChatEvent[]) =>
    events.map((event) => (event.type === "text-delta" ? event.delta : "")).join("");

  it("goes on behind the last word, sends the message once, and tells nothing twice", async () => {
    let cuts = 0;
    const cutting = (response: ServerResponse, piece: string) => {
      const isCut = piece.includes("text-delta") && cuts < 3;
      if (isCut) cuts += 1;
      response.write(piece + piece, () => isCut && response.destroy());
    };
    await through(cutting, async (millrace) => {
      const { sessionId } = await millrace.sessions.create("agent_one");
      const message = "One two three four five six seven eight nine ten";
      const events: ChatEvent[] = [];
      for await (const event of millrace.sessions.stream("agent_one", sessionId, { message }))
        events.push(event);
      expect(events.at(-1)).toMatchObject({ type: "done", text: textOf(events) });
      expect(textOf(events)).toContain(message);
      const turns = await millrace.manage.agents.transcript("agent_one", sessionId);
      expect(turns.data).toHaveLength(1);
    });
    expect(cuts).toBeGreaterThan(0);
  });
});
