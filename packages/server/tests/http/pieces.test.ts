import diagnostics from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { errorBody } from "@millrace/contract/envelope";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { addTwoOrganizations } from "../support/workspace.ts";

let service: TestService;
let key: string;
/** The server's side of the last request. */
let served: Socket;
const noteServed = (message: unknown) => void (served = (message as { socket: Socket }).socket);

beforeAll(async () => {
  service = await startTestService();
  key = (await addTwoOrganizations(service.database.pool)).one;
  diagnostics.subscribe("http.server.request.start", noteServed);
});
afterAll(async () => {
  diagnostics.unsubscribe("http.server.request.start", noteServed);
  await service.stop();
});

const headOf = (line: string, headers: string) =>
  `${line} HTTP/1.1\r\nhost: x\r\n${headers}transfer-encoding: chunked\r\n\r\n`;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

function open(): Socket {
  const { hostname, port } = new URL(service.address);
  // Its writes fail where the server hangs up, which it should.
  return connect(Number(port), hostname).on("error", () => {});
}

/** Sends a text and no end of it, and returns what comes back until the server hangs up. */
async function untilClosed(text: string): Promise<string> {
  const socket = open();
  let answer = "";
  socket.on("data", (bytes) => (answer += bytes.toString()));
  socket.write(text);
  await new Promise((resolve) => socket.once("close", resolve));
  return answer;
}

const json = "content-type: application/json\r\n";

describe("a body in chunks of one byte is not read on", () => {
  it.each<[string, number, () => string]>([
    ["where it is wanted", 400, () => headOf("POST /api/runs", `${json}x-api-key: ${key}\r\n`)],
    ["without a key", 401, () => headOf("POST /api/runs", json)],
    ["where there is no route", 404, () => headOf("POST /nowhere", json)],
    ["where there is no such method", 405, () => headOf("PUT /api/runs", json)],
    ["of an unknown type", 415, () => headOf("POST /api/runs", `content-type: a/b\r\nx-api-key: ${key}\r\n`)],
    ["where none is read", 200, () => headOf("GET /healthz", json)],
  ])("%s", async (_, status, head) => {
    const [top = "", body = ""] = (await untilClosed(head() + chunk("1").repeat(10_000))).split("\r\n\r\n");
    expect(top).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(top).toMatch(/^connection: close$/im);
    if (status !== 200) expect(errorBody.safeParse(JSON.parse(body)).success).toBe(true);
    if (status === 400) expect(body).toContain("too many small chunks");

    await untilClosed(head() + chunk("1").repeat(2_000_000));
    if (!served.destroyed) await once(served, "close");
    expect(served.bytesRead).toBeLessThan(1_000_000);
  });
});

it("a body in small chunks is read whole, and its connection is used again", async () => {
  const socket = open();
  const text = `"${"a".repeat(298)}",`.repeat(3_000);
  const request =
    headOf("POST /api/runs", `${json}x-api-key: ${key}\r\n`) +
    chunk("[") +
    (text.match(/.{300}|.+/g) ?? []).map(chunk).join("") +
    chunk('"last"]') +
    "0\r\n\r\n";
  for (let round = 0; round < 2; round += 1) {
    socket.write(request);
    const [answer] = (await once(socket, "data")) as [Buffer];
    // Understood as JSON, which is no run.
    expect(answer.toString()).toContain("invalid_request_body");
    expect(answer.toString()).not.toContain("chunks");
    expect(answer.toString()).not.toMatch(/^connection: close$/im);
  }
  socket.destroy();
});
