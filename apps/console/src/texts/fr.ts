import type { Dictionary } from "./dictionary.ts";
import { common } from "./fr/common.ts";
import { editor } from "./fr/editor.ts";
import { flow } from "./fr/flow.ts";
import { health } from "./fr/health.ts";
import { manage } from "./fr/manage.ts";
import { run } from "./fr/run.ts";
import { runs } from "./fr/runs.ts";
import { shell } from "./fr/shell.ts";
import { templates } from "./fr/templates.ts";
import { testing } from "./fr/testing.ts";
import { verbs } from "./fr/verbs.ts";
import { webhooks } from "./fr/webhooks.ts";
import { words } from "./fr/words.ts";
import { work } from "./fr/work.ts";

export const fr: Dictionary = {
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
