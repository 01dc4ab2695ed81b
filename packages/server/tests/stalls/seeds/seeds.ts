import type { Case } from "../case.ts";
import { fitted } from "../fitted.ts";
import { checks, slowChecks } from "../checks/checks.ts";
import { expressionSeeds } from "./expressions.ts";
import { flowSeeds } from "./flows.ts";
import { lookSeeds } from "./looks.ts";
import { requestSeeds } from "./requests.ts";
import { scheduleSeeds } from "./schedules.ts";
import { upstreamSeeds } from "./upstreams.ts";

const MAX_PAYLOAD_BYTES = 2_900_000;

/** Everything that once stopped the service. They stay, and run first in every search. */
export const seeds: readonly Case[] = [
  ...requestSeeds,
  ...scheduleSeeds,
  ...upstreamSeeds,
  ...[...expressionSeeds, ...flowSeeds, ...lookSeeds].flatMap(alsoWithinLimits),
  ...Object.keys(checks).map((check): Case => ({
    kind: "promises",
    name: check,
    action: "check",
    check,
    slow: slowChecks.has(check),
  })),
];

/** As it was, which may be refused for its size by now, and as large as it may be. */
function alsoWithinLimits(seed: Case): Case[] {
  if (seed.action !== "flow" || seed.payload === undefined) return [seed];
  const payload = fitted(seed.payload, MAX_PAYLOAD_BYTES);
  const isSame = JSON.stringify(payload) === JSON.stringify(seed.payload);
  return isSame ? [seed] : [seed, { ...seed, name: `${seed.name}, within the limits`, payload }];
}
