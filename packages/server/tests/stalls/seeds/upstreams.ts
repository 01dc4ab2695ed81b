import type { Case, Script, UpstreamDeed } from "../case.ts";
import {
  authenticationOk,
  dataRow,
  int32,
  message,
  parsedAndBound,
  readyForQuery,
  rowDescription,
  welcome,
} from "../postgres-messages.ts";

const MB = 1_000_000;
const chunkedHead =
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const streamHead = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

/** What foreign servers said that ended the service, or kept it busy. */
export const upstreamSeeds: readonly Case[] = [
  postgres("an unknown authentication message", [[message("R", int32(99))]]),
  ...["440000000500", "440000000a000100000064", "44000000060010"].map((hex) =>
    postgres(`a row shorter than it says, ${hex}`, [
      ...welcome,
      [...parsedAndBound, rowDescription(["a"]), { hex }],
    ]),
  ),
  postgres("a row without the description of its columns", [
    ...welcome,
    [...parsedAndBound, dataRow(["1"]), readyForQuery],
  ]),
  postgres("a notice that does not end", [[authenticationOk, message("N", "53414243")]]),
  postgres("a frame of two gigabytes", [
    ...welcome,
    [...parsedAndBound, { hex: "447fffffff" }, { repeat: "a", times: 60 * MB }],
  ]),
  postgres("notices for ever", [[authenticationOk, { hex: "4e0000000953410000", times: 3_000_000 }]]),

  ...(["model", "chat"] as const).flatMap((protocol) => [
    upstream("model", protocol, "a long line that grows piece by piece", {
      replies: [[streamHead, 'data: {"choices":[{"delta":{"content":"', { repeat: "a", times: 3_500_000 }]],
      drip: { parts: ["aaaaaaaa"], times: 1_500 },
      end: "close",
    }),
    upstream("model", protocol, "a reply of empty lines", {
      replies: [[streamHead, { repeat: "\n", times: 2_600_000 }]],
      chunkBytes: 256,
      end: "close",
    }),
    upstream("model", protocol, "a reply of many small events", {
      replies: [[streamHead, { repeat: 'data: {"choices":[{"delta":{"content":"a"}}]}\n\n', times: 60_000 }]],
      end: "close",
    }),
    upstream("model", protocol, "a tool call in many pieces", {
      replies: [
        [
          streamHead,
          {
            repeat:
              'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"a"}}]}}]}\n\n',
            times: 25_000,
          },
        ],
      ],
      end: "close",
    }),
  ]),

  upstream("http", "http", "deeply nested JSON", {
    replies: [
      [
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n",
        { repeat: "[", times: 200_000 },
        { repeat: "]", times: 200_000 },
      ],
    ],
    end: "close",
  }),
  ...(["a:\r\n", "content-type: text/plain\r\n"] as const).map((repeat) =>
    upstream("http", "http", `headers without end, ${repeat.length} bytes each`, {
      replies: [["HTTP/1.1 200 OK\r\n", { repeat, times: 100_000 }]],
      end: "close",
    }),
  ),
  ...(["http", "model", "chat", "mcp"] as const).map((protocol) =>
    upstream(protocol === "chat" ? "model" : protocol, protocol, "an answer in chunks of one byte", {
      replies: [[chunkedHead, { chunked: [{ repeat: "a", times: 1_000_000 }], bytes: 1 }]],
      end: "close",
    }),
  ),
];

function postgres(name: string, replies: Script["replies"]): Case {
  return upstream("postgres", "postgres", name, { replies, end: "hang" });
}

function upstream(
  kind: Case["kind"],
  protocol: UpstreamDeed["protocol"],
  name: string,
  script: Script,
): Case {
  return { kind, name: `${protocol}: ${name}`, action: "upstream", protocol, script };
}
