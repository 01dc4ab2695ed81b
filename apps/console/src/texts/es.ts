import type { Dictionary } from "./texts.tsx";
import { common } from "./es/common.ts";
import { flow } from "./es/flow.ts";
import { health } from "./es/health.ts";
import { manage } from "./es/manage.ts";
import { run } from "./es/run.ts";
import { runs } from "./es/runs.ts";
import { shell } from "./es/shell.ts";
import { verbs } from "./es/verbs.ts";
import { webhooks } from "./es/webhooks.ts";
import { work } from "./es/work.ts";

export const es: Dictionary = {
  ...shell,
  ...common,
  ...runs,
  ...run,
  ...verbs,
  ...flow,
  ...work,
  ...webhooks,
  ...manage,
  ...health,
};
