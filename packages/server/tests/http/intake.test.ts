import diagnostics from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { addTwoOrganizations } from "../support/workspace.ts";

const MEGABYTE = 1_048_576;
const SOCKETS = 24;
const BODY_BYTES = 0.6 * MEGABYTE;
/** What a turn reads of all bodies, what those that it lets go on bring before they stop, and those that were under way. */
const MOST = MEGABYTE + 16 * 65_536 + SOCKETS * 65_536;

let service: TestService;
let key: string;
/** The server's sides of all connections. */
const served = new Set<Socket>();
const noteServed = (message: unknown) => void served.add((message as { socket: Socket }).socket);

beforeAll(async () => {
  service = await startTestService();
  key = (await addTwoOrganizations(service.database.pool)).one;
  diagnostics.subscribe("http.server.request.start", noteServed);
});
afterAll(async () => {
  diagnostics.unsubscribe("http.server.request.start", noteServed);
  await service.stop();
});

async function answerOf(socket: Socket, request: string): Promise<string> {
  socket.write(request);
  const [answer] = (await once(socket, "data")) as [Buffer];
  return answer.toString().split("\r\n")[0]!;
}

function requestOf(line: string, bytes: number): string {
  const head = `${line} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n`;
  return `${head}content-length: ${bytes}\r\n\r\n"${"a".repeat(bytes - 2)}"`;
}

/** The most that one turn of the event loop reads from all connections while something goes on. */
async function mostInATurn(work: Promise<unknown>): Promise<number> {
  const read = () => [...served].reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  const state = { isDone: false };
  void work.finally(() => (state.isDone = true)).catch(() => {});
  let most = 0;
  let before = read();
  while (!state.isDone) {
    await nextTurn();
    const now = read();
    most = Math.max(most, now - before);
    before = now;
  }
  return most;
}

it.each([
  ["that are wanted", "POST /api/runs", "400"],
  ["that nobody wants", "POST /nowhere", "404"],
])("of many bodies %s a turn reads a little of each, and all come to their ends", async (_, line, status) => {
  const { hostname, port } = new URL(service.address);
  const sockets = Array.from({ length: SOCKETS }, () => connect(Number(port), hostname));
  const request = requestOf(line, Math.round(BODY_BYTES));
  for (let round = 0; round < 2; round += 1) {
    const answers = Promise.all(sockets.map((socket) => answerOf(socket, request)));
    expect(await mostInATurn(answers)).toBeLessThan(MOST);
    for (const answer of await answers) expect(answer).toContain(`HTTP/1.1 ${status}`);
  }
  for (const socket of sockets) socket.destroy();
});
