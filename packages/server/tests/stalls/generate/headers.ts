import * as fc from "fast-check";
import type { Parts } from "../bytes.ts";
import type { RequestDeed } from "../case.ts";

const MAX_HEAD_BYTES = 15_000;
const headNames = fc.constantFrom(
  "accept",
  "cookie",
  "x-a",
  "accept-language",
  "authorization",
  "x-forwarded-for",
  "forwarded",
  "if-none-match",
  "last-event-id",
  "range",
  "connection",
  "expect",
  "transfer-encoding",
  "content-type",
  "x-idempotency-key",
  "te",
  "via",
);
const headUnits = fc.constantFrom(
  "a,",
  "a;q=0.1,",
  "*/*,",
  "a=b; ",
  "text/event-stream,",
  "1.1.1.1, ",
  "::1,",
  "Bearer ",
  " ",
  "\t",
  "a",
  '"',
  "\\",
  "de-DE,",
  ";",
  "=,",
  "ä",
);
const queryUnits = fc.constantFrom(
  "a&",
  "a=1&",
  "page[size]=1&",
  "filter[status]=COMPLETED&",
  "filter[status]=a,",
  "page[after]=a&",
  "%",
  "%5B",
  "[",
  "a[b][c]=1&",
  "+",
  ",",
  "filter[tag]=",
);
const paths = fc.constantFrom(
  "/api/runs",
  "/api/flows",
  "/api/agents",
  "/api/runs/queue",
  "/api/flows/flow_hello/runs",
  "{run}",
  "{run}/nodes",
  "{webhook}",
  "{resume}",
  "/",
  "/openapi.json",
  "/metrics",
  "//////",
  "/api/../api/",
);

/** Heads as long as they may be. */
export const headerDeeds: fc.Arbitrary<RequestDeed> = fc
  .record({
    method: fc.constantFrom("GET", "POST", "DELETE", "HEAD", "OPTIONS", "PATCH"),
    path: paths,
    query: fc.option(fc.tuple(queryUnits, fc.constantFrom(1, 100, 4_000, MAX_HEAD_BYTES))),
    headers: fc.array(fc.tuple(headNames, headUnits, fc.constantFrom(1, 100, 4_000, MAX_HEAD_BYTES)), {
      maxLength: 6,
    }),
    copies: fc.constantFrom(1, 10, 500),
  })
  .map(({ method, path, query, headers, copies }) => {
    let left = MAX_HEAD_BYTES;
    const take = (unit: string, size: number) => {
      const times = Math.floor(Math.min(size, left) / unit.length);
      left -= times * unit.length;
      return unit.repeat(times);
    };
    const target = query ? `${path}?${take(query[0], query[1])}` : path;
    const named = headers.map(([name, unit, size]): [string, Parts] => [name, [take(unit, size)]]);
    const many = Array.from({ length: Math.min(copies, Math.floor(left / 10)) }, (_, at): [string, Parts] => [
      `x-${at}`,
      ["1"],
    ]);
    return { action: "request", method, target, headers: [...named, ...many] };
  });
