import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { ChatReader } from "../../src/upstream/chat-completions-reader.ts";
import { readBounded } from "../../src/upstream/guarded-http/body.ts";

const pieceBytes = 64 * 1024;

/** A body of which more is always there: nothing of it waits for the network. */
function arrived(text: string): Readable {
  const bytes = Buffer.from(text);
  let at = 0;
  return new Readable({
    highWaterMark: pieceBytes,
    read() {
      this.push(at < bytes.length ? bytes.subarray(at, (at += pieceBytes)) : null);
    },
  });
}

/** How often the event loop turned while the reply was read. */
async function turnsWhileRead(text: string): Promise<{ turns: number; said: number }> {
  let turns = 0;
  let said = 0;
  let counter = setImmediate(function count() {
    turns += 1;
    counter = setImmediate(count);
  });
  const reader = new ChatReader({ onText: ({ length }) => void (said += length), onActivity: () => {} });
  const source = { host: "model.test", organizationId: "org_a" };
  try {
    for await (const bytes of readBounded(arrived(text), undefined, 1e8, source)) reader.push(bytes);
    reader.end();
  } finally {
    clearImmediate(counter);
  }
  return { turns, said };
}

const event = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;

describe("the event loop turns while a reply that arrived at once is read", () => {
  test("of many small events", async () => {
    const { turns, said } = await turnsWhileRead(`${event("a").repeat(60_000)}data: [DONE]\n`);
    expect(said).toBe(60_000);
    expect(turns).toBeGreaterThan(3);
  });

  test("of many empty lines", async () => {
    const { turns } = await turnsWhileRead(`${"\n".repeat(900_000)}data: [DONE]\n`);
    expect(turns).toBeGreaterThan(2);
  });
});
