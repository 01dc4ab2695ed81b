import * as fc from "fast-check";
import type { Parts } from "../bytes.ts";
import { hostileScripts } from "./scripts.ts";
import { json, upstreamDeeds } from "./upstream-deeds.ts";
import { sizes, values } from "./values.ts";

const bodies: fc.Arbitrary<Parts> = fc.oneof(
  values.map((value) => [json(value)]),
  fc
    .tuple(fc.constantFrom("[", '{"a":', "[],", "a", "\n", "%", "<a>", "ä", "1e", '"'), sizes)
    .map(([repeat, size]) => [{ repeat, times: Math.floor(size / repeat.length) }]),
  fc.constantFrom(1_000, 1_000_000, 100_000_000).map((times) => [{ gzip: [{ repeat: "a", times }] }]),
);

const heads: fc.Arbitrary<Parts> = fc
  .record({
    status: fc.constantFrom(
      "200 OK",
      "204 No Content",
      "301 Moved",
      "404 Not Found",
      "429 Slow",
      "500 No",
      "100 Continue",
      "999 ?",
    ),
    headers: fc.array(
      fc.constantFrom(
        "content-type: application/json",
        "content-type: text/html",
        "content-type: a/b; charset=utf-16",
        "content-encoding: gzip",
        "content-encoding: br",
        "content-encoding: gzip, gzip, deflate",
        "location: /",
        "retry-after: 1",
        "content-length: 5",
        "content-length: 99999999999",
        "transfer-encoding: chunked",
        "set-cookie: a=b",
        "connection: keep-alive",
      ),
      { maxLength: 4 },
    ),
    many: fc.constantFrom(0, 100, 3_000),
  })
  .map(({ status, headers, many }) => [
    `HTTP/1.1 ${status}\r\n`,
    ...headers.map((header) => `${header}\r\n`),
    { repeat: "x-a: b\r\n", times: many },
    "\r\n",
  ]);

const answers: fc.Arbitrary<Parts> = fc.oneof(
  fc.tuple(heads, bodies).map(([head, body]) => [...head, ...body]),
  fc
    .tuple(bodies, fc.constantFrom(1, 10, 1_000))
    .map(([body, bytes]) => [
      "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
      { chunked: body, bytes },
    ]),
);

export const httpDeeds = upstreamDeeds(
  ["http", "http", "events"],
  hostileScripts(fc.array(answers, { minLength: 1, maxLength: 2 }).map((replies) => ({ replies }))),
);
