import * as fc from "fast-check";
import type { Part } from "../bytes.ts";
import type { Recipe } from "../recipes.ts";
import { hostileScripts } from "./scripts.ts";
import { json, upstreamDeeds } from "./upstream-deeds.ts";
import { sizes, values } from "./values.ts";

const jsonHead = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n";
const streamHead = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

const chunkOf = (delta: Recipe): Recipe => ({ choices: [{ index: 0, delta }] });
const deltas: fc.Arbitrary<Recipe> = fc.oneof(
  fc.constantFrom<Recipe>(
    { content: "a" },
    { content: "" },
    { content: "😀" },
    { content: null },
    { role: "assistant" },
  ),
  fc
    .nat(200)
    .map((index) => ({ tool_calls: [{ index, id: `c${index}`, function: { name: "f", arguments: "{" } }] })),
  values.map((value) => ({ content: value })),
  values.map((value) => ({ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: value } }] })),
);
const events: fc.Arbitrary<Part[]> = fc.oneof(
  fc.tuple(deltas, fc.constantFrom(1, 10, 10_000, 60_000)).map(([delta, times]) => {
    const text = `data: ${JSON.stringify(chunkOf({ content: "a" }))}\n\n`;
    return times > 1 ? [{ repeat: text, times }] : ["data: ", json(chunkOf(delta)), "\n\n"];
  }),
  fc
    .tuple(
      fc.constantFrom(": \n", "\n", "data: \n", "data: {}\n\n", "event: x\n", "data: {", "\r", "a"),
      sizes,
    )
    .map(([repeat, size]) => [{ repeat, times: Math.floor(size / repeat.length) }]),
  fc.constantFrom<Part[]>(
    ['data: {"usage":{"prompt_tokens":1e308}}\n\n'],
    ["data: [DONE]\n\n"],
    ['data: {"error":{"message":"x"}}\n\n'],
  ),
);

export const modelDeeds = upstreamDeeds(
  ["model", "chat", "chat"],
  hostileScripts(
    fc.oneof(
      fc
        .array(events, { minLength: 1, maxLength: 5 })
        .map((parts) => ({ replies: [[streamHead, ...parts.flat()]] })),
      values.map((value) => ({
        replies: [
          [jsonHead, json({ choices: [{ index: 0, message: { role: "assistant", content: value } }] })],
        ],
      })),
    ),
  ),
);
