import { losses } from "./losses.ts";
import { random } from "./random.ts";
import type { Scenario } from "./scenario.ts";
import { schema } from "./schema.ts";
import { silence } from "./silence.ts";
import { slowDisk } from "./slow-disk.ts";
import { storm } from "./storm.ts";
import { zombies } from "./zombies.ts";

export const SCENARIOS: readonly Scenario[] = [random, zombies, slowDisk, storm, schema, losses, silence];
