import { afterEach, expect, it } from "vitest";
import { get, listenRaw, testHttp, type Listener } from "./support.ts";

const http = testHttp({}, { connectMs: 30_000, headersMs: 30_000 });
const totalMs = 60_000;
const head = "HTTP/1.1 200 OK\r\n";
const chunked = `${head}transfer-encoding: chunked\r\n\r\n`;

let upstream: Listener;
afterEach(() => upstream.close());

it("an answer in chunks of one byte is refused for its pieces, though it has no end", async () => {
  upstream = await listenRaw((socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write("1\r\na\r\n".repeat(10_000)));
    };
    socket.on("drain", more).write(chunked);
    more();
  });
  await expect(http.request(get(upstream.url, { totalMs }))).rejects.toMatchObject({
    name: "ResponseTooLarge",
    message: expect.stringContaining("too many small pieces"),
  });
});

it("an answer in small chunks is read whole", async () => {
  const chunk = `28\r\n${"a".repeat(40)}\r\n`;
  upstream = await listenRaw((socket) => socket.end(`${chunked}${chunk.repeat(50_000)}0\r\n\r\n`));
  expect((await http.request(get(upstream.url, { totalMs }))).body).toHaveLength(2_000_000);
});
