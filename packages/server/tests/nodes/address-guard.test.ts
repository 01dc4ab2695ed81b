import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openOutside } from "./outside.ts";
import { errorOf } from "./run-node.ts";

let server: Server;
let connections = 0;
const closed = openOutside([]);
const open = openOutside();

beforeAll(async () => {
  server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterAll(async () => {
  await Promise.all([closed.close(), open.close()]);
  server.close();
});

const portOf = () => (server.address() as AddressInfo).port;
const credential = (type: string, secret: Record<string, string>) => ({
  id: "cred_1",
  type,
  allowedHosts: ["127.0.0.1"],
  allowUnencrypted: true,
  secret,
});

describe("a node that leaves the service", () => {
  it("never connects to an address that is not opened", async () => {
    const url = `http://127.0.0.1:${portOf()}/`;
    const model = credential("model-provider", { baseUrl: url, apiKey: "key-1234" });
    const database = credential("postgres", {
      connectionString: `postgres://ada:pw-1234@127.0.0.1:${portOf()}/db`,
    });
    const mailbox = credential("smtp", {
      host: "127.0.0.1",
      port: String(portOf()),
      user: "a@example.com",
      password: "pw-1234",
    });
    const mail = { to: "b@example.com", subject: "Hi", text: "Hi" };
    const errors = [
      await errorOf("http-request", { url }, { services: closed }),
      await errorOf("mcp-tool", { url, tool: "x" }, { services: closed }),
      await errorOf("llm", { model: "m", prompt: "Hi" }, { services: closed, credential: model }),
      await errorOf("sql", { query: "SELECT 1" }, { services: closed, credential: database }),
      await errorOf("email", mail, { services: closed, credential: mailbox }),
    ];
    expect(errors.map(({ name }) => name)).toEqual([
      "AddressRefused",
      "AddressRefused",
      "ModelAddressRefused",
      "AddressRefused",
      "AddressRefused",
    ]);
    expect(connections).toBe(0);
  });

  it("sends a credential to no other host than those it names", async () => {
    const foreign = {
      ...credential("http-bearer", { token: "tok-1234" }),
      allowedHosts: ["api.example.com"],
    };
    const url = `http://127.0.0.1:${portOf()}/`;
    expect((await errorOf("http-request", { url }, { services: open, credential: foreign })).name).toBe(
      "CredentialRefused",
    );
    expect(connections).toBe(0);
  });

  it("tells the author that the other side broke off", async () => {
    const url = `http://127.0.0.1:${portOf()}/`;
    const mailbox = credential("smtp", { host: "127.0.0.1", port: String(portOf()) });
    const mail = { to: "b@example.com", from: "a@example.com", subject: "Hi", text: "Hi" };
    expect((await errorOf("http-request", { url }, { services: open })).name).toBe("ConnectionLost");
    expect((await errorOf("email", mail, { services: open, credential: mailbox })).name).toBe(
      "MailServerUnavailable",
    );
  });
});
