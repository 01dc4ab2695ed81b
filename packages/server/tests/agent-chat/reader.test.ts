import { expect, it } from "vitest";
import { ChatReader } from "../../src/upstream/chat-completions-reader.ts";

/** What is made of a stream whose chunks are these, cut into pieces of so many bytes. */
function read(chunks: readonly unknown[], pieceBytes = 1_000_000) {
  const bytes = Buffer.from(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join(""));
  let text = "";
  let activity = 0;
  const reader = new ChatReader({
    onText: (piece) => void (text += piece),
    onActivity: () => void (activity += 1),
  });
  for (let at = 0; at < bytes.length; at += pieceBytes) reader.push(bytes.subarray(at, at + pieceBytes));
  return { ...reader.end(), text, activity };
}

const delta = (content: object, finish_reason: unknown = null) => ({
  choices: [{ delta: content, finish_reason }],
});
const call = (index: number | undefined, args: string, id?: string) =>
  delta({ tool_calls: [{ index, id, function: { name: id && "look_up", arguments: args } }] });
const stop = delta({}, "stop");

it("reads the same whatever the size of the pieces, also in the middle of a character", () => {
  const chunks = [delta({ content: "dück🦆 " }), delta({ content: [{ type: "text", text: "two" }] }), stop];
  for (const pieceBytes of [1, 2, 3, 7, 1_000]) {
    expect(read(chunks, pieceBytes)).toMatchObject({ text: "dück🦆 two", finishReason: "stop" });
  }
});

it("joins the arguments of each call, with an index or without", () => {
  const inputs = (chunks: unknown[]) => read([...chunks, stop]).calls.map(({ input }) => input);
  expect(inputs([call(0, '{"a"', "x"), call(1, "{}", "y"), call(0, ":1}")])).toEqual([{ a: 1 }, {}]);
  expect(inputs([call(undefined, '{"a":1}', "x"), call(undefined, '{"b":2}', "y")])).toEqual([
    { a: 1 },
    { b: 2 },
  ]);
});

it("takes thinking for a sign of life and not for text", () => {
  expect(read([delta({ reasoning_content: "hm" }), delta({ reasoning: "hm" }), stop])).toMatchObject({
    text: "",
    activity: 2,
  });
});

it("keeps no word of the provider's own: reasons from a list, counts that are numbers", () => {
  const usage = { prompt_tokens: "7", completion_tokens: -1, prompt_tokens_details: { cached_tokens: 3 } };
  const { finishReason, tokens } = read([delta({}, "because of canary"), { usage }]);
  expect(finishReason).toBe("other");
  expect(tokens).toEqual({ cachedInputTokens: 3 });
});

it.each<[string, unknown[]]>([
  ["a stream that just stops", [delta({ content: "x" })]],
  ["an error", [{ error: { message: "canary" } }]],
  ["chunks that are no objects", ["text", stop]],
  ["calls that leave out numbers", [call(7, "{}", "x"), stop]],
  ["more calls than anybody needs", [...Array.from({ length: 129 }, (_, at) => call(at, "", "x")), stop]],
  ["endless arguments", [...Array.from({ length: 101 }, () => call(0, "x".repeat(10_000), "x")), stop]],
  ["an endless line", [delta({ content: "x".repeat(6_000_000) }), stop]],
])("gives up at %s", (_, chunks) => {
  expect(() => read(chunks)).toThrow(expect.objectContaining({ name: "ModelFault" }));
});

it("takes time that grows with the length of a line, however small its pieces are", () => {
  const cpuMsFor = (length: number) => {
    const before = process.threadCpuUsage();
    const long = "x".repeat(length);
    expect(read([delta({ content: long }), stop], 32).text).toBe(long);
    const { user, system } = process.threadCpuUsage(before);
    return user + system;
  };
  cpuMsFor(400_000);
  // Four times as long: four times the time, and sixteen times if each piece cost as much as all before it.
  expect(cpuMsFor(1_600_000) / cpuMsFor(400_000)).toBeLessThan(9);
});

it.each([
  ["a line without end", () => [delta({ content: "x".repeat(2_100_000) }), stop]],
  [
    "arguments without end",
    () => [...Array.from({ length: 11 }, () => call(0, "x".repeat(100_000), "a")), stop],
  ],
  [
    "arguments of many calls",
    () => [...Array.from({ length: 11 }, (_, at) => call(at, "x".repeat(100_000), "a")), stop],
  ],
  ["too many calls", () => [...Array.from({ length: 129 }, (_, at) => call(at, "{}", "a")), stop]],
  [
    "a name without end",
    () => [delta({ tool_calls: [{ index: 0, function: { name: "n".repeat(2_000) } }] }), stop],
  ],
  ["an id without end", () => [call(0, "{}", "i".repeat(2_000)), stop]],
  [
    "arguments that are no text",
    () => [delta({ tool_calls: [{ index: 0, function: { arguments: {} } }] }), stop],
  ],
])("refuses %s", (_what, chunks) => {
  expect(() => read(chunks())).toThrow("reply_invalid");
});

it("refuses lines for ever", () => {
  const reader = new ChatReader({ onText: () => {}, onActivity: () => {} });
  const lines = Buffer.from(":\n".repeat(100_000));
  const pushed = (times: number) => Array.from({ length: times }, () => reader.push(lines));
  pushed(9);
  expect(() => pushed(2)).toThrow("reply_invalid");
});

it("keeps arguments nested too deeply as the text they are", () => {
  const nested = "[".repeat(3_000) + "]".repeat(3_000);
  expect(read([call(0, nested, "a"), stop]).calls[0]?.input).toBe(nested);
});
