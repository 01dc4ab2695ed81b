import { EventEmitter } from "node:events";
import { Agent, type ClientRequest, request } from "node:http";
import { queryObjects } from "node:v8";
import { Server } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Refusal } from "../../src/domain/refusal.ts";
import { McpEndpoint } from "../../src/http/mcp/endpoint.ts";
import { chain, node } from "../support/runs-flows.ts";
import { type Gate, startGate } from "../support/runs-gate.ts";
import { until } from "../support/runs-until.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addFlow, addTwoOrganizations } from "../support/workspace.ts";

const agent = new Agent({ keepAlive: true, maxSockets: 10 });
const modernHeaders = {
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": "greet",
};
const _meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
  progressToken: 1,
};

let service: TestService;
let gate: Gate;
let key: string;
beforeAll(async () => {
  gate = await startGate();
  service = await startTestService();
  const { pool } = service.database;
  key = (await addTwoOrganizations(pool)).one;
  const settings = { tool: { description: "Greets" } };
  const graph = chain(node("answer", "return", { value: { hello: "you" } }));
  await addFlow(pool, "org_one", "greet", { graph, settings });
  await addFlow(pool, "org_one", "slow", { graph: chain(gate.node("hold")), settings });
});
afterAll(async () => {
  agent.destroy();
  await gate.close();
  await service.stop();
});

/** A tools/call without a client's own memory of it. */
function send(name: string, isModern: boolean, onAnswer: () => void): ClientRequest {
  const params = { name, arguments: {}, ...(isModern && { _meta }) };
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const outgoing = request(
    `${service.address}/mcp`,
    {
      method: "POST",
      agent,
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(isModern && { ...modernHeaders, "mcp-name": name }),
      },
    },
    (answer) => answer.resume().on("close", onAnswer),
  );
  outgoing.on("error", onAnswer);
  outgoing.end(text);
  return outgoing;
}

const call = (isModern: boolean) =>
  new Promise<void>((resolve) => {
    send("greet", isModern, resolve);
  });

/** The client goes away while the run is held. */
async function breakOff(isModern: boolean): Promise<void> {
  const arrived = gate.arrived.length;
  const outgoing = send("slow", isModern, () => {});
  await gate.untilArrived(arrived + 1);
  outgoing.destroy();
  gate.letGo();
}

/** How many there are of what a call is made of, after everything that can go is gone. */
function kept(): Record<string, number> {
  const kinds = { Server, Request, AbortController };
  return Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, queryObjects(kind, { format: "count" })]),
  );
}

it("keeps nothing of calls that have ended, or were broken off, however many there were", async () => {
  const some = async (times: number) => {
    for (let round = 0; round < times; round++)
      for (const isModern of [true, false])
        await Promise.all(Array.from({ length: 5 }, () => call(isModern)));
    for (const isModern of [true, false]) await breakOff(isModern);
  };
  await some(1);
  const before = kept();
  await some(10);
  await until("all of it is gone", () => {
    const after = kept();
    return Object.keys(before).every((name) => after[name]! <= before[name]! + 10);
  });
});

it("serves each organization so many requests at once, and turns away the rest", async () => {
  const database = Promise.withResolvers<never>();
  const context = {
    version: "1.0.0",
    db: { query: () => database.promise },
    toRefusal: () => new Refusal("service_unavailable"),
  };
  const endpoint = new McpEndpoint(context as never, undefined as never, 4);
  const list = (organizationId: string) => {
    const membership = { role: "member", suspended: false };
    const principal = { user: { id: "ada" }, organizations: new Map([[organizationId, membership]]) };
    const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const headers = { "content-type": "application/json" };
    return endpoint.post({
      caller: { principal },
      raw: { method: "POST", headers, body },
      reply: { raw: new EventEmitter() },
    } as never);
  };
  // Alone an organization has three quarters of the places.
  const served = [list("org_one"), list("org_one"), list("org_one")];
  await expect(list("org_one")).rejects.toMatchObject({ code: "service_unavailable" });
  served.push(list("org_two"));
  await expect(list("org_two")).rejects.toMatchObject({ code: "service_unavailable" });
  database.reject(new Error("the database is gone"));
  for (const answer of await Promise.all(served)) expect(String(answer!.body)).toContain('"error"');
  expect(await list("org_one")).toMatchObject({ status: 200 });
});
