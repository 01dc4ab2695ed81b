import { afterEach, expect, it } from "vitest";
import { addAgent } from "../support/workspace.ts";
import { type ChatTest, chatClient, collect, eventually, gate, startChat } from "./support.ts";

let chat: ChatTest;
afterEach(() => chat.stop());

/** The provider of org_one holds every reply until the test lets go; that of org_two answers. */
async function startSharedChat(settings: { maxRunning?: number; maxFollowers?: number }) {
  const held = gate();
  const underWay = new Set<string>();
  chat = await startChat({
    settings,
    upstream: ({ body }) => {
      const message = String(body.messages.at(-1)?.content);
      underWay.add(message);
      return {
        text: `reply to ${message}`,
        beforeChunk: (index) => (index === 0 && message.startsWith("hang") ? held.opened : undefined),
      };
    },
  });
  await addAgent(chat.db, "org_two", "agent_good", {
    provider: { type: "openai-compatible", baseUrl: chat.upstream.baseUrl, model: "small-1" },
  });
  const good = chatClient(chat.service.address, chat.keys.two);
  const hang = async (count: number) => {
    const replies = [];
    for (let at = 0; at < count; at++) {
      const session = await chat.createSession("agent_model");
      replies.push(chat.say("agent_model", session, `hang ${at}`));
    }
    return replies;
  };
  const goodReply = async () => {
    const session = await good.createSession("agent_good");
    return (await good.say("agent_good", session, "hello")).body.data.text;
  };
  return { held, underWay, hang, goodReply, good };
}

async function count(status: string): Promise<number> {
  const { rows } = await chat.db.query(
    `SELECT count(*)::int AS count FROM agent_turns WHERE organization_id = 'org_one' AND status = $1`,
    [status],
  );
  return rows[0].count;
}

it("replies of others are written while those of one organization hang in all its places", async () => {
  const { held, underWay, hang, goodReply } = await startSharedChat({ maxRunning: 8 });
  const hanging = await hang(20);
  await eventually(async () => [await count("running"), await count("queued")]).toEqual([6, 14]);
  for (let round = 0; round < 3; round++) expect(await goodReply()).toBe("reply to hello");
  // None of the others has come to an end meanwhile, and none has got a place of those that are kept.
  expect([await count("running"), await count("queued")]).toEqual([6, 14]);
  expect(underWay.size).toBe(7);
  held.open();
  // Nothing is lost: whoever waited gets the places in turn.
  for (const { status } of await Promise.all(hanging)) expect(status).toBe(200);
});

it("clients of others are let in while one organization follows all it may", async () => {
  const { held, hang, good } = await startSharedChat({ maxFollowers: 8 });
  const hanging = await hang(6);
  await eventually(() => count("running")).toBe(6);
  const session = await chat.createSession("agent_model");
  const refused = await chat.say("agent_model", session, "one too many");
  expect([refused.status, refused.body, refused.headers.get("retry-after")]).toEqual([
    429,
    { error: "Too many requests" },
    "5",
  ]);
  const goodSession = await good.createSession("agent_good");
  const events = await collect(await good.stream("agent_good", goodSession, "hello"));
  expect(events.at(-1)!.data).toEqual({ type: "done", text: "reply to hello" });
  held.open();
  for (const { status } of await Promise.all(hanging)) expect(status).toBe(200);
});
