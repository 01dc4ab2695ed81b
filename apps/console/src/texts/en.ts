import { common } from "./en/common.ts";
import { editor } from "./en/editor.ts";
import { flow } from "./en/flow.ts";
import { health } from "./en/health.ts";
import { manage } from "./en/manage.ts";
import { run } from "./en/run.ts";
import { runs } from "./en/runs.ts";
import { shell } from "./en/shell.ts";
import { templates } from "./en/templates.ts";
import { testing } from "./en/testing.ts";
import { verbs } from "./en/verbs.ts";
import { webhooks } from "./en/webhooks.ts";
import { words } from "./en/words.ts";
import { work } from "./en/work.ts";

/** Every text of the console, by its key, a file for each part of it; the other languages have exactly these. */
export const en = {
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
} as const;
