import type { Invariant } from "./invariant.ts";

/** No run executes 7 s beyond its deadline; what cannot end in time ends TIMED_OUT, and nothing does so too early. */
export const deadline: Invariant = {
  number: 11,
  name: "Deadline",
  check({ samples, runs }) {
    const violations = [...samples.overdue];
    let late = 0;
    for (const { id, flowId, status, activeMs, maxDurationMs } of runs.values()) {
      if (status === "TIMED_OUT" && activeMs < maxDurationMs - 50)
        violations.push(`${id} ended TIMED_OUT after ${activeMs} of ${maxDurationMs} ms`);
      if (!flowId.endsWith("_late")) continue;
      late += 1;
      // Its effect takes 30 s and its maxDuration is 2 s; it may be cancelled or lose its workers before.
      if (status === "COMPLETED" || status === "FAILED")
        violations.push(`${id} should have timed out and is ${status}`);
    }
    return { checked: `${samples.taken} samples, ${late} runs that had to time out`, violations };
  },
};
