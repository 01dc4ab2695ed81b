import { createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openOutside, type Outside } from "./outside.ts";
import { errorOf } from "./run-node.ts";

let outside: Outside;
let server: Server;
let port: number;
let received: string;

/** Takes what it is sent and hangs up: enough to see whether a secret would have left. */
beforeAll(async () => {
  outside = openOutside();
  server = createServer((socket: Socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      socket.destroy();
    });
    received += "(connected)";
    setTimeout(() => socket.destroy(), 100);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ({ port } = server.address() as { port: number });
});
beforeEach(() => {
  received = "";
});
afterAll(async () => {
  await outside.close();
  server.close();
});

interface Case {
  readonly type: string;
  readonly secret: (port: number) => Record<string, string>;
  readonly inputs: (port: number) => Record<string, unknown>;
}

const cases: Record<string, Case> = {
  "http-request": {
    type: "http-bearer",
    secret: () => ({ token: "canary" }),
    inputs: (at) => ({ url: `http://127.0.0.1:${at}/` }),
  },
  "mcp-tool": {
    type: "http-basic",
    secret: () => ({ user: "u", password: "canary" }),
    inputs: (at) => ({ url: `http://127.0.0.1:${at}/mcp`, tool: "t" }),
  },
  llm: {
    type: "model-provider",
    secret: (at) => ({ baseUrl: `http://127.0.0.1:${at}/v1`, apiKey: "canary" }),
    inputs: () => ({ model: "m", prompt: "p" }),
  },
  email: {
    type: "smtp",
    secret: (at) => ({
      host: "127.0.0.1",
      port: String(at),
      user: "u@x.example",
      password: "c",
      secure: "false",
    }),
    inputs: () => ({ to: "a@x.example", subject: "s", text: "t" }),
  },
  sql: {
    type: "postgres",
    secret: (at) => ({ connectionString: `postgres://u:canary@127.0.0.1:${at}/d` }),
    inputs: () => ({ query: "SELECT 1" }),
  },
};

describe.each(Object.entries(cases))("the credential of %s", (node, { type, secret, inputs }) => {
  const fail = (allowUnencrypted: boolean | undefined) => {
    const credential = { id: "c", type, allowedHosts: ["127.0.0.1"], allowUnencrypted, secret: secret(port) };
    return errorOf(node, inputs(port), { services: outside, credential });
  };

  it("is not sent without TLS: nobody is even called", async () => {
    for (const allowed of [undefined, false]) {
      const { name } = await fail(allowed);
      expect(name).toBe(node === "llm" ? "ModelAddressRefused" : "CredentialRefused");
    }
    expect(received).toBe("");
  });

  it("is sent where it says so, to a private address", async () => {
    const { name } = await fail(true);
    expect(name).not.toMatch(/Refused/);
    expect(received).toContain("(connected)");
  });
});
