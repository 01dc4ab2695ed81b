import type { Dictionary } from "./dictionary.ts";
import { common } from "./de/common.ts";
import { editor } from "./de/editor.ts";
import { flow } from "./de/flow.ts";
import { health } from "./de/health.ts";
import { manage } from "./de/manage.ts";
import { run } from "./de/run.ts";
import { runs } from "./de/runs.ts";
import { shell } from "./de/shell.ts";
import { templates } from "./de/templates.ts";
import { testing } from "./de/testing.ts";
import { verbs } from "./de/verbs.ts";
import { webhooks } from "./de/webhooks.ts";
import { words } from "./de/words.ts";
import { work } from "./de/work.ts";

export const de: Dictionary = {
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
