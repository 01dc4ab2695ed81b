import { expect, test } from "vitest";
import { Redaction } from "../../src/domain/flow-test/redaction.ts";
import { finishSliced } from "../../src/domain/sliced.ts";

function redacted(value: unknown, keep: readonly string[] = []) {
  const redaction = new Redaction(keep);
  const result = finishSliced(redaction.redact(value, ["trigger"]));
  return { result, redacted: redaction.redacted, kept: redaction.kept };
}

test("addresses are replaced by addresses, however many dots they have", () => {
  expect(redacted(["ada@mail.example.org", "ada@example", "ada@example..org"]).result).toEqual([
    "user2@example.com",
    "redacted 3",
    "redacted 4",
  ]);
});

test("what is almost an address takes no longer for being long", () => {
  // Each dot was tried as the last one, to the end of the text: minutes.
  expect(redacted(`a@${".".repeat(400_000)} `).result).toBe("redacted 2");
});

test("a name that says secret counts for all below it, kept or not", () => {
  const value = { lines: [{ price: 7, tokens: { a: 8 } }] };
  expect(redacted(value, ["trigger.lines[]"])).toEqual({
    result: { lines: [{ price: 7, tokens: { a: 2 } }] },
    kept: ["trigger.lines[].price"],
    redacted: ["trigger.lines[].tokens.a"],
  });
  expect(redacted(value, ["trigger.lines[1]"]).kept).toEqual([]);
  expect(redacted(value, ["trigger.lines[0].price"]).kept).toEqual(["trigger.lines[].price"]);
});

test("paths are listed as far as anybody reads them", () => {
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`field${at}`, 7]));
  const { result, redacted: paths } = redacted({ [`k${"e".repeat(100_000)}y`]: wide });
  expect(Object.values(Object.values(result as object)[0] as object)).toEqual(Array(5_000).fill(2));
  expect(paths).toHaveLength(1_000);
  expect(paths[0]).toBe(`trigger["k${"e".repeat(199)}…"].field0`);
});
