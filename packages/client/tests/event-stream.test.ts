import { describe, expect, it } from "vitest";
import { startLoopbackServer } from "../../server/tests/support/loopback-server.ts";
import { MillraceClient } from "../src/client.ts";

describe("a stream", () => {
  const read = async (pieces: readonly (string | Uint8Array)[], cut = false) => {
    const server = await startLoopbackServer(async (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const piece of pieces)
        await new Promise((resolve) => response.write(piece, () => setImmediate(resolve)));
      if (cut) response.destroy();
      else response.end();
    });
    const events: unknown[] = [];
    try {
      const client = new MillraceClient({ baseUrl: server.url, apiKey: "k", maxRetries: 0 });
      for await (const event of client.sessions.resume("a", "s")) events.push(event);
      return events;
    } finally {
      await server.close();
    }
  };

  it("is read whole however it is cut, with comments, CR LF and ids", async () => {
    const text =
      'id: 4\nretry: 2000\n\n: ping\n\nid: 5\r\ndata: {"type":"text-delta",\r\ndata: "delta":"ü"}\r\n\r\ndata:{"type":"done","text":"ü"}\n\n';
    const expected = [
      { type: "text-delta", delta: "ü", id: "5" },
      { type: "done", text: "ü", id: "5" },
    ];
    expect(await read([text])).toEqual(expected);
    const bytes = new TextEncoder().encode(text);
    expect(await read(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(expected);
  });

  it("that breaks off is an error, after what had arrived", async () => {
    const reading = read(['data: {"type":"text-delta","delta":"a"}\n\n', "data: {"], true);
    await expect(reading).rejects.toMatchObject({ status: 0, code: "connection_failed" });
  });
});
