import type { Guard } from "./mutants.ts";
import { callerGuards } from "./mutations-callers.ts";
import { fenceGuards } from "./mutations-fence.ts";
import { memoryGuards } from "./mutations-memory.ts";
import { outsideGuards } from "./mutations-outside.ts";
import { rules } from "./mutations-rules.ts";
import { schemaGuards } from "./mutations-schema.ts";
import { textGuards } from "./mutations-texts.ts";
import { turnGuards } from "./mutations-turns.ts";
import { waitGuards } from "./mutations-waits.ts";

export const guards: readonly Guard[] = [
  ...fenceGuards,
  ...waitGuards,
  ...memoryGuards,
  ...turnGuards,
  ...callerGuards,
  ...outsideGuards,
  ...schemaGuards,
  ...textGuards,
  ...rules,
];
