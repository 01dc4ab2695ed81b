import { groupBy } from "../evidence.ts";
import { isTerminal } from "../../packages/server/src/domain/run-status.ts";
import { ORGANIZATIONS } from "../workspace.ts";
import type { Invariant } from "./invariant.ts";

/**
 * The opening balance is what was spent, what is reserved, and what is available. Every reservation has exactly one
 * settlement if and only if its run has ended; no run gives back more than it took. Entries of runs that ended more
 * than ten minutes ago are added up by the service into one `carry`, which keeps the sum and ends the details.
 */
export const credits: Invariant = {
  number: 8,
  name: "Credits",
  check({ entries, runs, samples }) {
    const violations = [...samples.negativeBalances];
    let reservations = 0;
    for (const { id: organizationId, credits } of ORGANIZATIONS) {
      const own = entries.filter((entry) => entry.organizationId === organizationId);
      const sum = (kinds: readonly string[]) =>
        own.filter(({ kind }) => kinds.includes(kind)).reduce((total, { amount }) => total + amount, 0);
      if (credits === undefined) {
        if (own.length > 0) violations.push(`${organizationId} has no limit and ${own.length} entries`);
        continue;
      }
      if (sum(["opening"]) !== credits)
        violations.push(`${organizationId} opened with ${sum(["opening"])}, not ${credits}`);
      let spent = -sum(["carry"]);
      let open = 0;
      for (const [runId, ofRun] of groupBy(
        own.filter(({ runId }) => runId !== null),
        (entry) => entry.runId!,
      )) {
        reservations += 1;
        const reserves = ofRun.filter(({ kind }) => kind === "reserve");
        const settles = ofRun.filter(({ kind }) => kind === "settle");
        const run = runs.get(runId);
        const expected = run && isTerminal(run.status) ? 1 : 0;
        if (reserves.length !== 1 || settles.length !== expected)
          violations.push(
            `${runId} is ${run?.status ?? "gone"} with ${reserves.length} reservations and ${settles.length} settlements`,
          );
        const cost = -ofRun.reduce((total, { amount }) => total + amount, 0);
        if (settles.length > 0) spent += cost;
        else open += cost;
        if (settles.length > 0 && (cost < 0 || cost > -reserves[0]!.amount))
          violations.push(`${runId} reserved ${-reserves[0]!.amount} and cost ${cost}`);
      }
      const available = sum(["opening", "grant", "reserve", "settle", "carry"]);
      if (credits !== spent + open + available || available < 0)
        violations.push(
          `${organizationId}: ${credits} opened, ${spent} spent, ${open} reserved, ${available} available`,
        );
    }
    return { checked: `${reservations} reservations`, violations };
  },
};
