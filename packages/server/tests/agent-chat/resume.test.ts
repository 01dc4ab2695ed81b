import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deleteOldDeltas } from "../../src/storage/agent-chat/keep-turns.ts";
import { startTestService } from "../support/service.ts";
import {
  chatClient,
  collect,
  eventually,
  HELD_TEXT,
  quickSettings,
  type SseEvent,
  startHoldingChat,
  textOf,
} from "./support.ts";

let chat: Awaited<ReturnType<typeof startHoldingChat>>;
beforeAll(async () => {
  chat = await startHoldingChat();
});
afterAll(() => chat.stop());

/** A session with a whole reply behind it, and what a client has seen of it. */
async function idleSession(): Promise<{ session: string; seen: SseEvent[] }> {
  const session = await chat.createSession("agent_model");
  return { session, seen: await collect(await chat.stream("agent_model", session, "go")) };
}

describe("while nothing runs", () => {
  it("answers 204 without a cursor, and with one at or after the last event", async () => {
    const { session, seen } = await idleSession();
    const last = seen.at(-1)!.id;
    for (const cursor of [undefined, last, last + 1000]) {
      const { status, headers } = await chat.resume("agent_model", session, cursor);
      expect([cursor, status, headers.get("content-type")]).toEqual([cursor, 204, null]);
    }
    const fresh = await chat.createSession("agent_model");
    expect((await chat.resume("agent_model", fresh, 0)).status).toBe(204);
  });

  it("replays exactly what is newer than the cursor, over several turns, and closes", async () => {
    const { session, seen } = await idleSession();
    const second = await collect(await chat.stream("agent_model", session, "again"));
    const all = [...seen, ...second.slice(1)];
    for (const cursor of [0, 1, seen.at(-1)!.id]) {
      const events = await collect(await chat.resume("agent_model", session, cursor));
      expect(events[0]).toEqual({ id: cursor });
      expect(events.slice(1)).toEqual(all.filter(({ id, data }) => id > cursor && data));
    }
  });

  it("answers an old cursor with done alone once the pieces are deleted", async () => {
    const { session, seen } = await idleSession();
    await chat.db.query(
      `UPDATE agent_turns SET ended_at = ended_at - interval '25 hours' WHERE session_id = $1`,
      [session],
    );
    await deleteOldDeltas(chat.db, 24);
    const events = await collect(await chat.resume("agent_model", session, 1));
    expect(events).toEqual([{ id: 1 }, { id: seen.at(-1)!.id, data: { type: "done", text: HELD_TEXT } }]);
  });
});

describe("while a reply is being written", () => {
  it("begins with the running turn where there is no cursor", async () => {
    const { session } = await chat.runningSession();
    const resumed = await chat.resume("agent_model", session);
    chat.letGo();
    const events = await collect(resumed);
    expect(events[0]).toEqual({ id: 0 });
    expect(textOf(events)).toBe(HELD_TEXT);
    expect(events.at(-1)!.data).toEqual({ type: "done", text: HELD_TEXT });
  });

  it("goes on after the cursor: no gap, no repeat, also where the client left", async () => {
    const { session, seen, stream } = await chat.runningSession();
    stream.leave();
    const resumed = await chat.resume("agent_model", session, seen.at(-1)!.id);
    chat.letGo();
    const events = await collect(resumed);
    expect(textOf(events)).toBe("three four");
    expect(events.map(({ id }) => id)).toEqual(events.map((_, at) => seen.at(-1)!.id + at));
  });

  it("goes on to the end of the last waiting turn", async () => {
    const { session, seen } = await chat.runningSession();
    const waiting = chat.say("agent_model", session, "next");
    await eventually(
      async () => (await chat.db.query(`SELECT FROM agent_turns WHERE session_id = $1`, [session])).rowCount,
    ).toBe(2);
    const resumed = await chat.resume("agent_model", session, seen.at(-1)!.id);
    chat.letGo();
    await waiting;
    const events = await collect(resumed);
    expect(events.filter(({ data }) => data?.type === "done")).toHaveLength(2);
  });

  it("takes a cursor from the future for the newest event", async () => {
    const { session } = await chat.runningSession();
    const resumed = await chat.resume("agent_model", session, 1_000_000);
    chat.letGo();
    expect(textOf(await collect(resumed))).toBe("three four");
  });

  it("works on another process", async () => {
    const other = await startTestService(
      {},
      { database: chat.service.database, chatSettings: quickSettings() },
    );
    try {
      const { session, seen } = await chat.runningSession();
      const resumed = await chatClient(other.address, chat.keys.one).resume(
        "agent_model",
        session,
        seen.at(-2)!.id,
      );
      chat.letGo();
      const events = await collect(resumed);
      expect(textOf(events)).toBe("two three four");
      expect(events.at(-1)!.data).toEqual({ type: "done", text: HELD_TEXT });
    } finally {
      await other.stop();
    }
  });
});

it("believes the header rather than the parameter, because clients repeat their first address", async () => {
  const { session, seen } = await idleSession();
  const byParameter = await collect(await chat.resume("agent_model", session, undefined, "?lastEventId=1"));
  expect(byParameter[0]).toEqual({ id: 1 });
  const byHeader = await collect(await chat.resume("agent_model", session, 2, "?lastEventId=0"));
  expect(byHeader.slice(1)).toEqual(seen.filter(({ id }) => id > 2));
});

it("stores the whole reply although every client has left", async () => {
  const { session, stream } = await chat.runningSession();
  stream.leave();
  chat.letGo();
  await eventually(
    async () =>
      (await chat.db.query(`SELECT status, reply_text FROM agent_turns WHERE session_id = $1`, [session]))
        .rows[0],
  ).toEqual({ status: "completed", reply_text: HELD_TEXT });
});
