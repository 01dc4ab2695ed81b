import { random } from "./random.ts";
import type { Scenario } from "./scenario.ts";

export const SCENARIOS: readonly Scenario[] = [random];
