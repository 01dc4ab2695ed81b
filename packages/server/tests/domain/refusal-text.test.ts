import { expect, it } from "vitest";
import { Refusal } from "../../src/domain/refusal.ts";
import { refusalText } from "../../src/domain/refusal-text.ts";

it("a refusal fills its parameters in, in every language, and leaves a place open that nobody has filled", () => {
  const refusal = new Refusal("event_not_found", { messageParams: { eventId: "evt_1" } });
  for (const locale of ["en", "tr", "es", "fr", "de"] as const)
    expect(refusalText(refusal, locale)).toContain("evt_1");
  expect(refusalText(new Refusal("event_not_found"), "en")).toContain("{eventId}");
});
