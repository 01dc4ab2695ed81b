// Draws the templates: a picture beside each flow. Run it after a change in examples/templates: `npm run pictures`
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readTemplates } from "../packages/server/src/operations/templates/read-templates.ts";
import { templatesDirectory } from "../packages/server/src/package-files.ts";

for (const { id, picture } of await readTemplates(templatesDirectory))
  await writeFile(join(templatesDirectory, `${id}.svg`), picture);
