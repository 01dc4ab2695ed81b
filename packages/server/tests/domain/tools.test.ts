import { describe, expect, it } from "vitest";
import { toGivenChat } from "../../src/domain/agent/chat-messages.ts";
import { toolAnswered, toolCalled } from "../../src/domain/agent/tool-events.ts";
import { questionSchema } from "../../src/domain/approval/approval-question.ts";
import type { NodeKind } from "../../src/domain/flow/catalogue.ts";
import type { CompiledFlow } from "../../src/domain/flow/compile.ts";
import { compileFlow } from "../../src/domain/flow/compile.ts";
import { flowsRunBy, touchOf } from "../../src/domain/flow/flow-touch.ts";
import { toolSchema } from "../../src/domain/flow/tool-schema.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { chain, node, type TestNode } from "../support/runs-flows.ts";

describe("what a flow takes as a tool", () => {
  it("is its input where that is an object, and anything where there is none", () => {
    const input = { type: "object", properties: { city: { type: "string" } } };
    const given = { city: "Izmir" };
    expect(toolSchema(input).schema).toBe(input);
    expect(toolSchema(input).bodyOf(given)).toBe(given);
    expect(toolSchema(undefined).schema).toEqual({ type: "object" });
    expect(toolSchema(undefined).bodyOf(given)).toBe(given);
  });

  it("is one argument where it is no object, with references that still lead somewhere", () => {
    const input = {
      $schema: "x",
      $defs: { one: { type: "number" } },
      type: "array",
      items: { $ref: "#/$defs/one" },
    };
    const { schema, bodyOf } = toolSchema(input);
    expect(schema).toEqual({
      type: "object",
      properties: { body: { type: "array", items: { $ref: "#/$defs/one" } } },
      required: ["body"],
      additionalProperties: false,
      $defs: { one: { type: "number" } },
    });
    expect(bodyOf({ body: [1] })).toEqual([1]);
    expect(toolSchema({ type: "string" }).schema).not.toHaveProperty("$defs");
  });

  it("is not told where it is too large", () => {
    const input = { type: "object", description: "x".repeat(70_000) };
    expect(toolSchema(input).schema).toEqual({ type: "object" });
  });
});

describe("what a flow does to the world", () => {
  const flow = (...nodes: TestNode[]): CompiledFlow => compileFlow(chain(...nodes) as never, nodeTypes);
  const touch = (type: string, inputs: object) => {
    const { changes, destroys, outside } = touchOf(flow(node("one", type, inputs)));
    return [changes && "changes", destroys && "destroys", outside && "outside"].filter(Boolean).join(" ");
  };

  it.each([
    ["set", { values: {} }, ""],
    ["http-request", { url: "https://example.com" }, "outside"],
    ["http-request", { url: "https://example.com", method: "HEAD" }, "outside"],
    ["http-request", { url: "https://example.com", method: null, body: {} }, "changes destroys outside"],
    ["http-request", { url: "https://example.com", method: "{{ data.m }}" }, "changes destroys outside"],
    ["llm", { prompt: "x", model: "demo" }, "outside"],
    ["email", { to: "a@b.c", subject: "x" }, "changes outside"],
    ["store", { operation: "get", key: "x" }, ""],
    ["store", { operation: "increment", key: "x" }, "changes"],
    ["store", { operation: "delete", key: "x" }, "changes destroys"],
    ["sql", { query: "SELECT 1" }, "changes destroys outside"],
    ["approval", { message: "x" }, ""],
    ["approval", { message: "x", notify: { email: {} } }, "changes outside"],
    ["run-flow", { flowId: "flow_other" }, ""],
    ["run-flow", { flowId: "{{ data.flow }}" }, "changes destroys outside"],
  ])("%s %o: %s", (type, inputs, expected) => {
    expect(touch(type, inputs)).toBe(expected);
  });

  it("counts the flows that it names", () => {
    const named = flow(
      node("one", "run-flow", { flowId: "flow_a" }),
      node("two", "run-flow", { flowId: "{{ data.flow }}" }),
      node("three", "set", { values: {} }),
    );
    expect(flowsRunBy(named)).toEqual(["flow_a"]);
    const kind = {
      type: "odd",
      effect: true,
      target: { input: "flowId", kind: "flow" },
    } as unknown as NodeKind;
    const odd = { nodes: new Map([["odd", { kind, inputs: [] }]]) } as unknown as CompiledFlow;
    expect(flowsRunBy(odd)).toEqual([]);
    expect(touchOf(odd)).toEqual({ changes: true, destroys: true, outside: true });
  });
});

describe("the question of an approval", () => {
  it("asks for nothing where there is no form", () => {
    expect(questionSchema(undefined)).toEqual({ type: "object", properties: {} });
    expect(questionSchema({ type: "object" })).toEqual({ type: "object", properties: {} });
  });

  it("keeps of a form what clients can show", () => {
    const form = {
      type: "object",
      properties: {
        reason: { type: "string", title: "Why?", minLength: 2, pattern: "x", format: "email" },
        odd: { type: "string", format: "ipv4" },
        size: { type: "string", enum: ["s", "m"], maxLength: 1 },
        level: { type: "integer", enum: [1, 2], description: "How much." },
        bare: { type: "number", enum: [1.5] },
      },
      required: ["reason"],
    };
    expect(questionSchema(form)).toEqual({
      type: "object",
      properties: {
        reason: { type: "string", title: "Why?", minLength: 2, format: "email" },
        odd: { type: "string" },
        size: { type: "string", enum: ["s", "m"] },
        level: { type: "integer", description: "How much. One of 1, 2." },
        bare: { type: "number", description: "One of 1.5." },
      },
      required: ["reason"],
    });
  });
});

describe("a conversation that the caller keeps", () => {
  it("becomes turns, with instructions before the message that follows them", () => {
    const chat = toGivenChat([
      { role: "system", content: "Be kind." },
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hello" },
      { role: "assistant", content: null },
      { role: "developer", content: "Be brief." },
      { role: "user", content: [{ text: "And " }, { text: "now?" }] },
    ]);
    expect(chat).toEqual({
      earlier: [{ message: "Be kind.\n\nHi", reply: "Hello" }],
      message: "Be brief.\n\nAnd now?",
    });
  });

  it.each([
    ["nothing", []],
    [
      "the agent's word at the end",
      [
        { role: "user", content: "x" },
        { role: "assistant", content: "y" },
      ],
    ],
    ["instructions alone", [{ role: "system", content: "x" }]],
    ["silence", [{ role: "user" }]],
  ] as const)("is none with %s", (_what, messages) => {
    expect(toGivenChat(messages)).toBeUndefined();
  });
});

describe("calls of tools", () => {
  it("are told with what they were given and what they answered, as far as that is short", () => {
    const call = { type: "tool-call", toolCallId: "1", toolName: "look", input: { a: 1 } } as const;
    expect(toolCalled(call)).toEqual(call);
    expect(toolCalled({ ...call, input: undefined })).toMatchObject({ input: undefined });
    expect(toolCalled({ ...call, input: "x".repeat(10_001) })).toMatchObject({ input: { truncated: true } });
    const output = { type: "error-text", value: "y".repeat(10_001) } as const;
    const answer = { type: "tool-result", toolCallId: "1", toolName: "look", output } as const;
    expect(toolAnswered(answer)).toMatchObject({
      toolCallId: "1",
      output: "y".repeat(10_000),
      isError: true,
    });
  });
});
