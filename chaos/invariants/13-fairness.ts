import type { Invariant } from "./invariant.ts";

/**
 * Measured by a probe after the faults, where the backlog is known: of the dispatches made while all of k
 * organizations wait, each has at least half of min(1/k, its share of the slots); one that comes later begins in 2 s.
 */
export const fairness: Invariant = {
  number: 13,
  name: "Fairness",
  check({ probes: { fairness, missing } }) {
    if (!fairness)
      return { checked: "not part of this scenario", violations: missing === undefined ? [] : [missing] };
    const { dispatches, shares, newcomerMs, allowanceMs } = fairness;
    const violations = shares
      .filter(({ share, least }) => share < least)
      .map(
        ({ organizationId, share, least }) =>
          `${organizationId} got ${percent(share)} of the dispatches, at least ${percent(least)} expected`,
      );
    if (newcomerMs === undefined || newcomerMs > 2_000 + allowanceMs)
      violations.push(
        `the newcomer began after ${newcomerMs ?? "more than 30000"} ms (2000 and ${allowanceMs.toFixed(0)} for the machine allowed)`,
      );
    const shown = shares.map(({ share }) => percent(share)).join(" ");
    return {
      checked: `${dispatches} dispatches: ${shown}; newcomer ${newcomerMs?.toFixed(0)} ms`,
      violations,
    };
  },
};

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
