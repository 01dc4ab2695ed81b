import * as fc from "fast-check";
import type { Part } from "../bytes.ts";
import type { Protocol, Script, UpstreamDeed } from "../case.ts";
import type { Recipe } from "../recipes.ts";
import { fitted, MAX_VALUES_STORED } from "../fitted.ts";

const MAX_BODY_BYTES = 12_000_000;

/** A value of any size, as JSON in an answer. */
export const json = (value: Recipe): Part => ({ json: fitted(value, MAX_BODY_BYTES, MAX_VALUES_STORED) });

export function upstreamDeeds(
  protocols: readonly Protocol[],
  scripts: fc.Arbitrary<Script>,
): fc.Arbitrary<UpstreamDeed> {
  return fc
    .record({ protocol: fc.constantFrom(...protocols), script: scripts })
    .map((deed) => ({ action: "upstream", ...deed }));
}
