import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { chain, node } from "../support/runs-flows.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addFlow, addTwoOrganizations } from "../support/workspace.ts";

/** More than a socket takes by itself. */
const LENGTH = 4_500_000;
/** More than may be unread. */
const READERS = 16;

let service: TestService;
let keys: Record<"one" | "two", string>;
const sockets: Socket[] = [];

beforeAll(async () => {
  service = await startTestService();
  keys = await addTwoOrganizations(service.database.pool);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service.stop();
});

async function largeRun(organizationId: string, key: string): Promise<string> {
  const flowId = `flow_${organizationId}`;
  const text = "{{ data.text & data.text }}";
  const graph = chain(
    node("twice", "template", { text }),
    node("done", "return", { value: { a: "{{ nodes.twice.text }}", b: "{{ nodes.twice.text }}" } }),
  );
  await addFlow(service.database.pool, organizationId, flowId, { graph });
  // Two units a character, one of which stands where the text is cut.
  const data = { text: "🌊".repeat(LENGTH / 8) };
  const { body: run } = await service.send("POST", "/api/runs?wait=60s", {
    key,
    body: { payload: { flowId, data } },
  });
  expect(run.data.status).toBe("COMPLETED");
  expect(run.data.output.a).toBe(data.text + data.text);
  return run.data.id;
}

/** Asks, and reads the head of the answer alone. */
async function ask(runId: string, key: string): Promise<string> {
  const { hostname, port } = new URL(service.address);
  const socket = connect({ host: hostname, port: Number(port) });
  sockets.push(socket);
  socket.write(`GET /api/runs/${runId} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`);
  await once(socket, "readable");
  return String(socket.read(12));
}

it("answers that nobody reads are few, and leave room for other callers", { timeout: 120_000 }, async () => {
  const [mine, other] = [await largeRun("org_one", keys.one), await largeRun("org_two", keys.two)];
  const heads = Array.from({ length: READERS }, () => ask(mine, keys.one));
  const first = await Promise.race(heads);
  expect(first).toBe("HTTP/1.1 200");
  // Whoever finds no room is told after ten seconds at the latest.
  const statuses = await Promise.all(heads);
  expect(statuses.filter((status) => status === "HTTP/1.1 200").length).toBeLessThan(READERS / 2);
  expect(statuses).toContain("HTTP/1.1 503");
  expect(await ask(other, keys.two)).toBe("HTTP/1.1 200");
  for (const socket of sockets.splice(0)) socket.destroy();
  expect((await service.get(`/api/runs/${mine}`, keys.one)).status).toBe(200);
});
