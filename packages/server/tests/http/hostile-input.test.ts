import { once } from "node:events";
import { connect } from "node:net";
import { errorBody } from "@millrace/contract/envelope";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JsonFault, parseJson } from "../../src/domain/json.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addTwoOrganizations } from "../support/workspace.ts";

let service: TestService;
let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;

beforeAll(async () => {
  service = await startTestService();
  keys = await addTwoOrganizations(service.database.pool);
});
afterAll(() => service.stop());

/** Sends bytes as they are and returns all that comes back until the server closes. */
async function sendRaw(text: string): Promise<string> {
  const { hostname, port } = new URL(service.address);
  const socket = connect(Number(port), hostname);
  socket.end(text);
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk.toString()));
  await once(socket, "close");
  return answer;
}

describe("a request that is not one", () => {
  it.each<[string, string, RegExp]>([
    [
      "a 20 KB header",
      `GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${"a".repeat(20_000)}\r\n\r\n`,
      /^HTTP\/1\.1 431/,
    ],
    [
      "both lengths",
      "POST /api/runs HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
      /^HTTP\/1\.1 400/,
    ],
    ["half a request line", "GET\r\n\r\n", /^HTTP\/1\.1 400/],
    [
      "a key with a newline",
      "GET /api/flows HTTP/1.1\r\nhost: x\r\nx-api-key: a\r\n b\r\nconnection: close\r\n\r\n",
      /^HTTP\/1\.1 40[01]/,
    ],
    ["TLS on the plain port", "\u0016\u0003\u0001\u0002\u0000\u0001", /^HTTP\/1\.1 400/],
  ])("is refused as the contract says: %s", async (_, text, expected) => {
    const [head = "", body = ""] = (await sendRaw(text)).split("\r\n\r\n");
    expect(head).toMatch(expected);
    expect(head).toMatch(/^x-request-id: req_/m);
    expect(errorBody.safeParse(JSON.parse(body)).success).toBe(true);
  });

  it("is told about the method before its body is read", async () => {
    const { status, headers } = await service.send("PUT", "/api/runs", {
      key: keys.one,
      body: "{",
      headers: { "content-type": "application/nonsense" },
    });
    expect(status).toBe(405);
    expect(headers.get("allow")).toBe("POST, GET, HEAD");
  });

  it.each([
    "/api/flows/%",
    "/api/flows/%E0%A4%A",
    `/api/flows/${"a".repeat(1_000)}`,
    `/api/flows/${"a".repeat(7_000)}`,
  ])("is a client's fault: an address like %s", async (path) => {
    const { status, body } = await service.get(path, keys.one);
    expect([400, 404, 414]).toContain(status);
    expect(errorBody.safeParse(body).success).toBe(true);
  });

  it("leaves the service alive with an id of 1 MB", async () => {
    await service.get(`/api/flows/${"a".repeat(1_000_000)}`, keys.one).catch(() => {});
    expect((await service.get("/healthz")).status).toBe(200);
  });
});

describe("JSON from outside", () => {
  it("is refused when nested 10,000 deep, without a stack overflow", () => {
    expect(() => parseJson("[".repeat(10_000) + "]".repeat(10_000))).toThrow(JsonFault);
    expect(() => parseJson('{"a":'.repeat(10_000) + "1" + "}".repeat(10_000))).toThrow(/64 levels/);
  });

  it.each([
    '{"__proto__":{"x":1}}',
    '{"a":[{"__proto__":1}]}',
    String.raw`{"\u005f_proto__":{"x":1}}`,
    '{"constructor":{"prototype":{}}}',
    String.raw`{"a":"\u0000"}`,
    String.raw`{"a\u0000":1}`,
    String.raw`{"a":"\ud800"}`,
    "{",
    "",
    '{"a":1}x',
  ])("is refused: %s", (text) => {
    expect(() => parseJson(text)).toThrow(JsonFault);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it("keeps what only looks dangerous", () => {
    const text = String.raw`{"constructor":"Bob","text":"\ud83d\ude00 [[[[ __proto__ \\u0000"}`;
    expect(parseJson(text)).toEqual({ constructor: "Bob", text: String.raw`😀 [[[[ __proto__ \u0000` });
  });
});
