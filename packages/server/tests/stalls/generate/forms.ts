import * as fc from "fast-check";
import type { RequestDeed } from "../case.ts";
import { chunking, cut, KB } from "./sized-parts.ts";
import { sizes } from "./values.ts";

const formUnits = fc.constantFrom(
  "a&",
  "a=&",
  "a=1&",
  "&",
  "=",
  "%",
  "%61",
  "%00&",
  "a[]=1&",
  "a[b]=1&",
  "%E4&",
  "+",
  "a.b=1&",
  "__proto__=1&",
  "ä=1&",
);

/** Forms and texts, right and wrong, where they are taken and where they are not. */
export const formDeeds: fc.Arbitrary<RequestDeed> = fc
  .record({
    target: fc.constantFrom("{webhook}", "{resume}", "/api/runs"),
    type: fc.constantFrom(
      "application/x-www-form-urlencoded",
      "text/plain",
      "text/xml",
      "multipart/form-data; boundary=a",
      "a/b",
      "application/json",
      "text/plain; charset=utf-16",
    ),
    parts: fc.array(
      fc
        .tuple(formUnits, sizes)
        .map(([repeat, size]) => ({ repeat, times: Math.floor(size / repeat.length) })),
      { minLength: 1, maxLength: 3 },
    ),
    numbered: fc.boolean(),
    chunkBytes: chunking,
  })
  .map(({ target, type, parts, numbered, chunkBytes }) => ({
    action: "request",
    method: "POST",
    target,
    headers: [["content-type", [type]]],
    body: parts.map((part) =>
      cut({ ...part, ...(numbered && { numbered }) }, (KB * KB - 100) / (numbered ? 3 : 1) / parts.length),
    ),
    ...(chunkBytes !== undefined && { chunkBytes }),
  }));
