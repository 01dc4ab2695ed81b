import diagnostics from "node:diagnostics_channel";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ChatTest, gate, startChat } from "./support.ts";

let chat: ChatTest;
/** The service's side of the last message. */
let served: ServerResponse;
function noteServed(message: unknown): void {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  if (request.url?.endsWith("/messages")) served = response;
}
const asked = gate();
const never = gate();

beforeAll(async () => {
  chat = await startChat({
    settings: { holdHeadersMs: 3_600_000 },
    upstream: () => {
      asked.open();
      return { text: "one two", beforeChunk: () => never.opened };
    },
  });
  diagnostics.subscribe("http.server.request.start", noteServed);
});
afterAll(async () => {
  diagnostics.unsubscribe("http.server.request.start", noteServed);
  never.open();
  await chat.stop();
});

it("who leaves before the first word is told nothing: thousands may leave at once", async () => {
  const session = await chat.createSession("agent_model");
  const leaving = new AbortController();
  const sent = fetch(`${chat.service.address}/api/agents/agent_model/sessions/${session}/messages`, {
    method: "POST",
    headers: { "x-api-key": chat.keys.one, "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify({ message: "hi" }),
    signal: leaving.signal,
  });
  await asked.opened;
  const answer = served;
  leaving.abort();
  await Promise.all([once(answer, "close"), expect(sent).rejects.toThrow()]);
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  expect(answer.headersSent).toBe(false);
});
