import * as fc from "fast-check";
import type { Parts } from "../bytes.ts";
import type { RequestDeed } from "../case.ts";
import { chunking, cut, KB } from "./sized-parts.ts";
import { sizes, values } from "./values.ts";

interface Door {
  readonly target: string;
  readonly maxBytes: number;
  readonly before: string;
  readonly after: string;
}

/** Where JSON is read, and where in it the caller's own value stands. */
const doors: readonly Door[] = [
  {
    target: "/api/runs",
    maxBytes: 3_072 * KB,
    before: '{"payload":{"flowId":"flow_hello","data":{"a":',
    after: "}}}",
  },
  {
    target: "/api/runs",
    maxBytes: 3_072 * KB,
    before: '{"payload":{"flowId":"flow_hello","inputs":',
    after: "}}",
  },
  {
    target: "/api/runs",
    maxBytes: 3_072 * KB,
    before: '{"payload":{"flowId":"flow_hello","trigger":',
    after: "}}",
  },
  { target: "/api/runs", maxBytes: 3_072 * KB, before: '{"tags":', after: "}" },
  { target: "/api/runs", maxBytes: 3_072 * KB, before: "", after: "" },
  { target: "{webhook}", maxBytes: KB * KB, before: "", after: "" },
  { target: "{resume}", maxBytes: KB * KB, before: "", after: "" },
  { target: "{run}/resume", maxBytes: KB * KB, before: '{"decision":"approved","data":', after: "}" },
  { target: "{sessions}", maxBytes: KB * KB, before: '{"endUserId":', after: "}" },
  { target: "{sessions}/s/messages", maxBytes: 256 * KB, before: '{"message":', after: "}" },
];

/** JSON that no library would write. */
const rawJson: fc.Arbitrary<Parts> = fc
  .tuple(
    fc.constantFrom<readonly [string, string, string]>(
      ["[", "", ""],
      ["[", "[]", ""],
      ['{"a":', "", ""],
      ['"a":1,', "", ""],
      ["{", '"a":1,', '"b":1}'],
      ["{", '"a":{},', '"b":[]}'],
      ["{", '"\\u0061\\u0000":"\\ud800",', '"b":1}'],
      ["[", "1,", "1]"],
      ["[", "[],", "[]]"],
      ["[", "{},", "{}]"],
      ["[", '"",', "1]"],
      ["[", "1e308,", "1]"],
      ["[", '{"a":[{"b":1}]},', "1]"],
      ['"', "a", '"'],
      ['"', "\\u0061", '"'],
      ['"', '\\"', '"'],
      ['"', "\\\\", '"'],
      ['"', "ä", '"'],
      ["", "9", ""],
      ["-0.", "9", "e-9"],
      ["", " ", "1"],
      ["", "\n", ""],
      ["[", " ,", "]"],
      ['{"__proto__":', '{"constructor":', "1"],
    ),
    sizes,
  )
  .map(([[first, unit, last], size]) => {
    const repeat = unit === "" ? first : unit;
    const many = { repeat, times: Math.ceil(size / repeat.length) };
    return unit === "" ? [many] : [first, many, last];
  });

const bodies: fc.Arbitrary<{ door: Door; value: Parts }> = fc.record({
  door: fc.constantFrom(...doors),
  value: fc.oneof(
    rawJson,
    values.map((json): Parts => [{ json }]),
  ),
});

/** JSON of every size and shape at every door. */
export const payloadDeeds: fc.Arbitrary<RequestDeed> = fc
  .record({ body: bodies, chunkBytes: chunking })
  .map(({ body: { door, value }, chunkBytes }) => ({
    action: "request",
    method: "POST",
    target: door.target,
    headers: [["content-type", ["application/json"]]],
    body: [door.before, ...value.map((part) => cut(part, door.maxBytes - 200)), door.after],
    ...(chunkBytes !== undefined && { chunkBytes: Math.max(chunkBytes, 1) }),
  }));
