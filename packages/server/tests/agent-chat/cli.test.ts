import { afterAll, beforeAll, expect, it } from "vitest";
import type { CliDependencies } from "../../src/cli/cli.ts";
import { createTerminal, type Terminal } from "../cli/terminal.ts";
import { type ChatTest, startChat } from "./support.ts";

let chat: ChatTest;
let terminal: Terminal;
let env: Record<string, string>;
beforeAll(async () => {
  terminal = await createTerminal();
  chat = await startChat({
    upstream: ({ body }) => ({
      text: `reply ${(body.messages.length + 1) / 2} to ${String(body.messages.at(-1)?.content)}`,
    }),
  });
  env = { MILLRACE_URL: chat.service.address, MILLRACE_API_KEY: chat.keys.one };
});
afterAll(async () => {
  await chat.stop();
  await terminal.close();
});

it("asks one question and prints the answer", async () => {
  const { code, stdout } = await terminal.run("agents chat agent_model --message hi", env);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "reply 1 to hi" });
});

it("prints JSON with the session, and goes on with that session", async () => {
  const first = await terminal.json("agents chat agent_model --message one", env);
  expect(first).toEqual({ sessionId: expect.stringMatching(/^session_/), text: "reply 1 to one" });
  const second = await terminal.json(
    `agents chat agent_model --message two --session ${first.sessionId}`,
    env,
  );
  expect(second).toEqual({ sessionId: first.sessionId, text: "reply 2 to two" });
});

it("chats in a terminal until an empty line, word by word", async () => {
  const lines = ["one", "two", ""];
  let shown = "";
  const person: Partial<CliDependencies> = {
    ask: async () => lines.shift()!,
    screen: { write: (text) => void (shown += text), columns: () => 80 },
  };
  const { code } = await terminal.run("agents chat agent_model", env, person);
  expect({ code, shown }).toEqual({ code: 0, shown: "reply 1 to one\nreply 2 to two\n" });
});

it("says what to do where nobody can be asked, and where the agent is unknown", async () => {
  expect(await terminal.run("agents chat agent_model", env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--message"),
  });
  expect(await terminal.run("agents chat agent_absent --message hi", env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("404"),
  });
});
