import { createServer, type Server } from "node:https";
import { once } from "node:events";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, expect, it } from "vitest";
import { selfSigned } from "./self-signed.ts";
import { failureOf, get, listenRaw, listenScript, testHttp } from "./support.ts";

const certificate = selfSigned("api.example.com");
const names = { "api.example.com": ["127.0.0.2"], "wrong.example.com": ["127.0.0.2"] };
const http = testHttp(names);
const impatient = testHttp(names, { connectMs: 500 });
let server: Server;
let port: number;
let location = "";

beforeAll(async () => {
  setDefaultCACertificates([...getCACertificates(), certificate.cert]);
  server = createServer(certificate, (_request, response) => {
    response.writeHead(location === "" ? 200 : 302, { location }).end("secure");
  });
  server.listen(0, "127.0.0.2");
  await once(server, "listening");
  ({ port } = server.address() as { port: number });
});
afterAll(async () => {
  await http.close();
  await impatient.close();
  server.close();
});

it("https is spoken over the checked socket, and the certificate must fit the name", async () => {
  const answer = await http.request(get(`https://api.example.com:${port}/`));
  expect(Buffer.from(answer.body).toString()).toBe("secure");
  const error = await failureOf(http.request(get(`https://wrong.example.com:${port}/`)));
  expect(error.name).toBe("ConnectFailed");
  expect(error.message).toContain("certificate");
});

it("a redirect from https to http is refused", async () => {
  const plain = await listenScript({ "/": { status: 200 } });
  location = `${plain.url}/`;
  const error = await failureOf(http.request(get(`https://api.example.com:${port}/`)));
  expect(error.name).toBe("RedirectRefused");
  expect(plain.accepted()).toBe(0);
  await plain.close();
});

it("a server that never finishes the handshake is given up", async () => {
  const silent = await listenRaw(() => {});
  const error = await failureOf(
    impatient.request(get(`https://api.example.com:${silent.port}/`, { totalMs: 60_000 })),
  );
  expect(error.name).toBe("ConnectTimeout");
  await silent.close();
});
