import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { demoReply } from "../../src/domain/agent/demo-reply.ts";
import { createSandbox } from "../../src/engine/sandbox/pool.ts";
import type { Sandbox } from "../../src/engine/sandbox/sandbox.ts";
import { startOpenAiServer, type OpenAiReply, type OpenAiServer } from "../support/openai-server.ts";
import { openOutside, type Outside } from "./outside.ts";
import { errorOf, outputOf } from "./run-node.ts";

let outside: Outside;
let sandbox: Sandbox;
let server: OpenAiServer;
let reply: OpenAiReply;

beforeAll(async () => {
  outside = openOutside();
  sandbox = createSandbox();
  server = await startOpenAiServer(() => reply);
});

afterEach(() => {
  server.requests.length = 0;
});

afterAll(async () => {
  await outside.close();
  await sandbox.close();
  await server.close();
});

const credential = () => ({
  id: "cred_llm",
  type: "model-provider",
  allowedHosts: ["127.0.0.1"],
  allowUnencrypted: true,
  secret: { baseUrl: server.baseUrl, apiKey: "sk-canary-123456" },
});
const parts = () => ({ services: { ...outside, sandbox }, credential: credential() });

describe("llm", () => {
  it("asks the model with system and prompt and counts the tokens", async () => {
    reply = { text: "Hello Ada", usage: { promptTokens: 7, completionTokens: 2 } };
    const output = await outputOf(
      "llm",
      { model: "small-1", system: "Be brief.", prompt: "Greet Ada" },
      parts(),
    );
    expect(output).toEqual({ text: "Hello Ada", usage: { inputTokens: 7, outputTokens: 2, totalTokens: 9 } });
    expect(server.requests[0]?.path).toBe("/v1/chat/completions");
    expect(server.requests[0]?.headers.authorization).toBe("Bearer sk-canary-123456");
    expect(server.requests[0]?.body).toMatchObject({
      model: "small-1",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Greet Ada" },
      ],
    });
  });

  const schema = {
    type: "object",
    properties: { n: { type: "integer" } },
    required: ["n"],
    additionalProperties: false,
  };

  it("answers an object that fits the schema", async () => {
    reply = { text: '{"n":3}' };
    const output = await outputOf("llm", { model: "small-1", prompt: "Count", schema }, parts());
    expect(output["object"]).toEqual({ n: 3 });
    expect(server.requests[0]?.body.response_format).toMatchObject({
      type: "json_schema",
      json_schema: { schema },
    });
  });

  it.each([
    ["an object that does not fit", { text: '{"n":"three"}' }, "ModelReplyInvalid"],
    ["text instead of an object", { text: "three" }, "ModelReplyInvalid"],
    ["an answer that is no JSON", { malformed: true }, "ModelReplyInvalid"],
    ["a refused key", { status: 401 }, "ModelKeyRefused"],
    ["an unknown model", { status: 404 }, "ModelNotFound"],
    ["a rate limit", { status: 429 }, "ModelRateLimited"],
    ["a bad request", { status: 400 }, "ModelRequestRefused"],
    ["an error of the provider", { status: 500 }, "ModelUnavailable"],
    [
      "an error inside the stream",
      { status: 200, body: 'data: {"error":{"message":"canary"}}\n\n' },
      "ModelUnavailable",
    ],
    [
      "an endless reply",
      { chunks: Array.from({ length: 150 }, () => "x".repeat(10_000)) },
      "ModelReplyInvalid",
    ],
    ["a broken connection", { cutAfterChunks: 0 }, "ModelUnavailable"],
    ["a reply that breaks off", { chunks: ['{"n"', ":3}"], cutAfterChunks: 1 }, "ModelUnavailable"],
  ])(
    "maps %s to a fixed text that tells nothing of the exchange",
    async (_what, fault: OpenAiReply, name) => {
      reply = { body: '{"error":{"message":"leaked sk-canary-123456 prompt-canary"}}', ...fault };
      if (fault.malformed) reply = fault;
      const inputs = { model: "small-1", prompt: "prompt-canary", system: "system-canary", schema };
      const error = await errorOf("llm", inputs, parts());
      expect(error.name).toBe(name);
      expect(`${error.message} ${JSON.stringify(error)} ${error.stack}`).not.toMatch(/canary|127\.0\.0\.1/);
      expect(error.cause).toBeUndefined();
      expect(server.requests).toHaveLength(1);
    },
  );

  it("says so when the schema is none", async () => {
    const inputs = { model: "small-1", prompt: "Count", schema: { type: "nonsense" } };
    expect((await errorOf("llm", inputs, parts())).name).toBe("ModelSchemaInvalid");
    expect(server.requests).toHaveLength(0);
  });

  it("ends a check that takes too long, and others have their turn meanwhile", async () => {
    const property = (_: unknown, at: number) => [`p${at}`, { type: "string" }];
    const properties = Object.fromEntries(Array.from({ length: 5_000 }, property)) as object;
    const inputs = {
      model: "small-1",
      prompt: "Count",
      schema: { type: "array", items: { type: "object", properties } },
    };
    reply = { text: JSON.stringify(Array.from({ length: 9_000 }, () => ({}))) };
    let turns = 0;
    const others = setInterval(() => (turns += 1), 20);
    const error = await errorOf("llm", inputs, parts());
    clearInterval(others);
    expect(error.name).toBe("ModelSchemaTooComplex");
    expect(turns).toBeGreaterThan(10);
  });

  it("ends the reading of a schema that grows while it is read, before the model is asked", async () => {
    let grown: object = { type: "string" };
    for (let depth = 0; depth < 14; depth += 1)
      grown = { type: ["object", "object", "object"], properties: { a: grown } };
    const inputs = { model: "small-1", prompt: "Count", schema: grown };
    expect((await errorOf("llm", inputs, parts())).name).toBe("ModelSchemaTooComplex");
    expect(server.requests).toHaveLength(0);
  });

  it("closes the connection to the provider when it is aborted", async () => {
    const controller = new AbortController();
    const held = Promise.withResolvers<void>();
    reply = { text: "late", beforeChunk: () => held.promise };
    const failure = errorOf(
      "llm",
      { model: "small-1", prompt: "Wait" },
      { ...parts(), signal: controller.signal },
    );
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort(new Error("canceled"));
    expect((await failure).message).toBe("canceled");
    expect(await server.requests[0]?.abandoned).toBe(true);
    held.resolve();
  });

  it("answers offline as the demo model without a credential", async () => {
    const output = await outputOf("llm", { model: "demo", prompt: "Hello there" });
    expect(output["text"]).toBe(demoReply("Hello there").join(""));
    expect(output["text"]).toContain('You said: "Hello there" (2 words).');
  });

  it("needs a credential and a model otherwise", async () => {
    expect((await errorOf("llm", { model: "small-1", prompt: "Hi" })).name).toBe("CredentialMissing");
    expect((await errorOf("llm", { prompt: "Hi" }, parts())).name).toBe("ModelMissing");
  });
});

describe("demoReply", () => {
  it("is the same for the same message and comes word by word", () => {
    expect(demoReply("Hi")).toEqual(demoReply("Hi"));
    expect(demoReply("Hi").slice(0, 3)).toEqual(["You ", "said: ", '"Hi" ']);
    expect(demoReply("  ").join("")).toContain("You said nothing.");
  });

  it("shortens a long message without cutting a character in two", () => {
    const text = demoReply("😀".repeat(500)).join("");
    expect(text).toContain(`${"😀".repeat(200)}…`);
    expect(text.isWellFormed()).toBe(true);
  });
});
