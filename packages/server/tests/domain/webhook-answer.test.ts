import { expect, it } from "vitest";
import { nodeBackoffMs } from "../../src/domain/run.ts";
import { webhookHeaderFault } from "../../src/domain/webhook-answer.ts";

it.each([
  ["Content-Type", "text/html", undefined],
  ["x-order", "42\tand more", undefined],
  ["X-Hub-Challenge", "", undefined],
  ["set-cookie", "a=b", /cannot be set by a flow/],
  ["x-accel-redirect", "/x", /cannot be set by a flow/],
  ["x-a b", "c", /is not the name of a header/],
  ["x-a", "b\r\nc: d", /printable ASCII/],
  ["x-a", "b".repeat(4_097), /at most 4096 characters/],
])("the header %s of a flow's answer", (name, value, fault) => {
  const found = webhookHeaderFault(name, value);
  if (fault) expect(found).toMatch(fault);
  else expect(found).toBeUndefined();
});

it("a node rests twice as long after each failure, five minutes at most", () => {
  expect([1, 2, 3, 20].map((attempts) => nodeBackoffMs(1_000, attempts))).toEqual([
    1_000, 2_000, 4_000, 300_000,
  ]);
});
