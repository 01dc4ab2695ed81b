import type { Dictionary } from "./dictionary.ts";
import { common } from "./es/common.ts";
import { editor } from "./es/editor.ts";
import { flow } from "./es/flow.ts";
import { health } from "./es/health.ts";
import { manage } from "./es/manage.ts";
import { run } from "./es/run.ts";
import { runs } from "./es/runs.ts";
import { shell } from "./es/shell.ts";
import { templates } from "./es/templates.ts";
import { testing } from "./es/testing.ts";
import { verbs } from "./es/verbs.ts";
import { webhooks } from "./es/webhooks.ts";
import { words } from "./es/words.ts";
import { work } from "./es/work.ts";

export const es: Dictionary = {
  ...shell,
  ...common,
  ...runs,
  ...run,
  ...verbs,
  ...flow,
  ...templates,
  ...testing,
  ...editor,
  ...words,
  ...work,
  ...webhooks,
  ...manage,
  ...health,
};
