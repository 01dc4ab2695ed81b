import { groupBy } from "../evidence.ts";
import type { Invariant } from "./invariant.ts";

/**
 * One answer to an approval is accepted, and that one is what the flow goes on with. Without an accepted answer it is
 * the timeout, or an answer whose outcome nobody knows.
 */
export const answers: Invariant = {
  number: 18,
  name: "Answers",
  check({ world, runs }) {
    const violations: string[] = [];
    const given = groupBy(world.history.of("answer"), ({ about }) => String(about["runId"]));
    const asked = [...runs.values()].filter(
      ({ flowId, status }) => flowId.endsWith("_asked") && status === "COMPLETED",
    );
    let accepted = 0;
    for (const { id, decision } of asked) {
      const own = given.get(id) ?? [];
      const decided = (outcome: string) =>
        own.filter((one) => one.outcome === outcome).map(({ about }) => String(about["decision"]));
      const known = decided("ok");
      accepted += known.length;
      if (known.length > 1) violations.push(`${id} accepted ${known.length} answers: ${known.join(", ")}`);
      const allowed = known.length > 0 ? known : [...decided("unknown"), "timeout"];
      if (!allowed.includes(String(decision)))
        violations.push(`${id} went on with ${decision} where ${allowed.join(" or ")} was answered`);
    }
    return { checked: `${asked.length} asked, ${accepted} answers accepted`, violations };
  },
};
