import { z } from "zod";
import { defineNode, NodeError, type Suspension } from "./node-type.ts";
import { durationInput, parseDurationMs } from "./support/duration.ts";

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
  pauses: true,
  output: "`{waitedUntil}`, ISO 8601.",
  example: { inputs: { duration: "1h" } },
  execute({ duration, until }, context) {
    const suspension = chooseMoment(duration ?? "", until ?? "");
    // Whether a moment has passed is the database's to say.
    if ("durationMs" in suspension && suspension.durationMs <= 0)
      return { kind: "output", output: { waitedUntil: new Date(context.services.now()).toISOString() } };
    return context.waitFor(suspension).then((answer) => ({ kind: "output", output: { ...answer } }));
  },
});

function chooseMoment(duration: string | number, until: string): Suspension & { kind: "wait" } {
  if ((duration === "") === (until === "")) {
    throw new NodeError("WaitInvalid", "State either `duration` or `until`, and only one of them.");
  }
  if (until === "") return { kind: "wait", durationMs: parseDurationMs(duration) ?? 0 };
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(until);
  return { kind: "wait", untilMs: Date.parse(hasZone || !until.includes("T") ? until : `${until}Z`) };
}
