import type { Dictionary } from "./dictionary.ts";
import { common } from "./tr/common.ts";
import { editor } from "./tr/editor.ts";
import { flow } from "./tr/flow.ts";
import { health } from "./tr/health.ts";
import { manage } from "./tr/manage.ts";
import { run } from "./tr/run.ts";
import { runs } from "./tr/runs.ts";
import { shell } from "./tr/shell.ts";
import { templates } from "./tr/templates.ts";
import { testing } from "./tr/testing.ts";
import { verbs } from "./tr/verbs.ts";
import { webhooks } from "./tr/webhooks.ts";
import { words } from "./tr/words.ts";
import { work } from "./tr/work.ts";

export const tr: Dictionary = {
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
