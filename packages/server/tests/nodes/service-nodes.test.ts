import { describe, expect, it } from "vitest";
import type { AgentChat, OrganizationStore } from "../../src/engine/nodes/node-type.ts";
import { NodeError } from "../../src/engine/nodes/node-type.ts";
import { errorOf, outputOf } from "./run-node.ts";

function memoryStore(): OrganizationStore {
  const values = new Map<string, unknown>();
  const path = (organizationId: string, key: string) => `${organizationId}/${key}`;
  return {
    get: async (organizationId, key) => values.get(path(organizationId, key)),
    set: async (organizationId, key, value) => void values.set(path(organizationId, key), value),
    increment: async (organizationId, key, by) => {
      const next = Number(values.get(path(organizationId, key)) ?? 0) + by;
      values.set(path(organizationId, key), next);
      return next;
    },
    delete: async (organizationId, key) => void values.delete(path(organizationId, key)),
  };
}

describe("store", () => {
  it("sets, gets, increments and deletes keys of the organization", async () => {
    const services = { store: memoryStore() };
    const perform = async (inputs: object) =>
      (await outputOf("store", { key: "k", ...inputs }, { services }))["value"];
    expect(await perform({ operation: "get" })).toBeNull();
    expect(await perform({ operation: "set", value: { a: 1 } })).toEqual({ a: 1 });
    expect(await perform({ operation: "get" })).toEqual({ a: 1 });
    expect(await perform({ operation: "delete" })).toBeNull();
    expect(await perform({ operation: "increment" })).toBe(1);
    expect(await perform({ operation: "increment", value: 2.5 })).toBe(3.5);
    const foreign = await outputOf(
      "store",
      { operation: "get", key: "k" },
      { services, organizationId: "org_other" },
    );
    expect(foreign["value"]).toBeNull();
  });

  it("increments by numbers only", async () => {
    const inputs = { operation: "increment", key: "k", value: "2" };
    expect((await errorOf("store", inputs, { services: { store: memoryStore() } })).name).toBe(
      "StoreInvalid",
    );
  });
});

describe("agent", () => {
  it("sends the message in the organization's name and hands on the reply", async () => {
    const sent: unknown[] = [];
    const chat: AgentChat = {
      send: async ({ signal: _signal, ...request }) => {
        sent.push(request);
        return { text: "Hello", sessionId: "session_1" };
      },
    };
    const inputs = { agentId: "agent_helper", message: "Hi", sessionKey: "ada" };
    expect(await outputOf("agent", inputs, { services: { chat } })).toEqual({
      text: "Hello",
      sessionId: "session_1",
    });
    expect(sent).toEqual([
      { organizationId: "org_test", agentId: "agent_helper", message: "Hi", depth: 0, sessionKey: "ada" },
    ]);
  });

  it("hands on what the chat says went wrong", async () => {
    const chat: AgentChat = {
      send: () => Promise.reject(new NodeError("SessionBusy", "The session is busy.")),
    };
    const error = await errorOf("agent", { agentId: "agent_helper", message: "Hi" }, { services: { chat } });
    expect([error.name, error.message]).toEqual(["SessionBusy", "The session is busy."]);
  });
});
