import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { defineNode, NodeError } from "./node-type.ts";
import { durationInput, parseDurationMs } from "./support/duration.ts";

/** A run that waits longer than this gives its slot back. */
const MAX_WAIT_IN_PLACE_MS = 5_000;

export const wait = defineNode({
  type: "wait",
  summary:
    "Waits for a time, or until a moment. Five seconds and more make the run PAUSED: it holds no slot.",
  inputs: z.object({
    duration: durationInput()
      .nullish()
      .describe("`30s`, `5m`, `1h`, `2d` or a number of seconds, at most `365d`."),
    until: z
      .union([z.iso.datetime({ offset: true, local: true }), z.iso.date(), z.literal("")])
      .nullish()
      .describe(
        "The moment to wait for, ISO 8601; UTC unless it says otherwise. One that has passed does not wait.",
      ),
  }),
  effect: false,
  output: "`{waitedUntil}`, ISO 8601.",
  example: { inputs: { duration: "1h" } },
  execute({ duration, until }, { services, signal }) {
    const nowMs = services.now();
    const untilMs = chooseMoment(duration ?? "", until ?? "", nowMs);
    const remainingMs = untilMs - nowMs;
    if (remainingMs >= MAX_WAIT_IN_PLACE_MS) {
      return { kind: "suspend", suspension: { kind: "wait", untilMs } };
    }
    const outcome = { kind: "output" as const, output: { waitedUntil: new Date(untilMs).toISOString() } };
    return remainingMs > 0 ? delay(remainingMs, outcome, { signal }) : outcome;
  },
});

function chooseMoment(duration: string | number, until: string, nowMs: number): number {
  if ((duration === "") === (until === "")) {
    throw new NodeError("WaitInvalid", "State either `duration` or `until`, and only one of them.");
  }
  if (until === "") return nowMs + (parseDurationMs(duration) ?? 0);
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(until);
  return Date.parse(hasZone || !until.includes("T") ? until : `${until}Z`);
}
