// Writes the JSON Schema of every kind of document; run it after a change in packages/contract/src/documents.
import { writeFile } from "node:fs/promises";
import { documentJsonSchemas } from "@millrace/contract/documents/json-schemas";

const directory = new URL("../packages/contract/schemas/", import.meta.url);
for (const [file, schema] of Object.entries(documentJsonSchemas())) {
  await writeFile(new URL(file, directory), `${JSON.stringify(schema, null, 2)}\n`);
}
