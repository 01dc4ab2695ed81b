import { describe, expect, it } from "vitest";
import { endsTurn, parseEventId } from "../../src/domain/agent/chat.ts";
import { demoReply } from "../../src/domain/agent/demo-reply.ts";
import { assistantText, conversation, userMessage } from "../../src/domain/agent/model-messages.ts";

describe("the demo provider", () => {
  it.each([
    ["Hello  there\n", 'You said: "Hello there" (2 words).'],
    ["Hello", 'You said: "Hello" (1 word).'],
    ["  ", "You said nothing."],
    ["😀".repeat(201), `You said: "${"😀".repeat(200)}…" (1 word).`],
  ])("answers %j in pieces that joined are the text", (message, said) => {
    const pieces = demoReply(message);
    expect(pieces.join("")).toBe(`${said} I am the demo provider: I answer without a model.`);
    expect(pieces.slice(0, -1).every((piece) => piece.endsWith(" "))).toBe(true);
  });
});

it("a turn ends with done or error", () => {
  const event = { seq: 1, turn: 1 };
  expect(endsTurn({ ...event, type: "text-delta", text: "a" })).toBe(false);
  expect(endsTurn({ ...event, type: "done", text: "a" })).toBe(true);
  expect(endsTurn({ ...event, type: "error", code: "upstream_failed" })).toBe(true);
});

it("an event's id is digits alone", () => {
  expect(["0", "42", "9".repeat(15)].map(parseEventId)).toEqual([0, 42, 999_999_999_999_999]);
  expect(["", "-1", "1e3", "9".repeat(16), " 1"].map(parseEventId)).toEqual(Array(5).fill(undefined));
});

it("a conversation keeps what was said, also where the reply is missing", () => {
  const [answer] = assistantText("Hi.");
  expect(assistantText("")).toEqual([]);
  expect(
    conversation(
      [
        { userText: "Hello", modelMessages: [answer!] },
        { userText: "Again", modelMessages: null },
      ],
      "Now",
    ),
  ).toEqual([userMessage("Hello"), answer, userMessage("Again"), userMessage("Now")]);
});
