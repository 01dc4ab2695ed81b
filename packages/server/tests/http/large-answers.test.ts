import { EventEmitter } from "node:events";
import type { FastifyReply } from "fastify";
import { afterEach, expect, it, vi } from "vitest";
import { isLargeJson, sendLong } from "../../src/http/large-answers.ts";

afterEach(() => vi.useRealTimers());

const many = Array.from({ length: 10_000 }, (_, at) => ({ at }));

it.each([
  ["a list", many, true],
  ["an object", { success: true, data: { many } }, true],
  ["a long text in an object", { text: "x".repeat(200_000) }, true],
  ["a small object", { success: true, data: { id: "run_1", createdAt: new Date() } }, false],
  ["a text", "x".repeat(1_000_000), false],
  ["bytes", Buffer.alloc(1_000_000), false],
  ["nothing", undefined, false],
])("an answer is written in turn only where that takes long: %s", (_name, body, isLarge) => {
  expect(isLargeJson(body)).toBe(isLarge);
});

/** What is needed of a reply, to a reader who takes nothing. */
function unread() {
  const raw = Object.assign(new EventEmitter(), { destroy: vi.fn() });
  const sent: unknown[] = [];
  const reply = {
    request: { ip: "127.0.0.1" },
    raw,
    headers: () => reply,
    code: () => reply,
    send: (body: unknown) => {
      sent.push(body);
      return reply;
    },
  };
  return { raw, sent, reply: reply as unknown as FastifyReply };
}

it("a long answer that is read too slowly is ended, and one that is read is not", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const [slow, fast] = [unread(), unread()];
  // 50 KB a second, after half a minute.
  const body = Buffer.alloc(1_000_000);
  await sendLong({ status: 200, body }, slow.reply);
  await sendLong({ status: 200, body }, fast.reply);
  fast.raw.emit("close");
  await vi.advanceTimersByTimeAsync(49_000);
  expect(slow.raw.destroy).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(slow.raw.destroy).toHaveBeenCalledOnce();
  expect(fast.raw.destroy).not.toHaveBeenCalled();
  slow.raw.emit("close");
});

it("a long text becomes the bytes of it, wherever it is cut", async () => {
  for (const begin of ["", "a"]) {
    const text = begin + "🌊".repeat(600_000);
    const { raw, sent, reply } = unread();
    await sendLong({ status: 200, body: text }, reply);
    expect(String(sent[0]) === text).toBe(true);
    raw.emit("close");
  }
});
