// Writes the JSON Schema of every kind of document; run it after a change in packages/contract/src/documents or a node's inputs.
import { writeFile } from "node:fs/promises";
import { documentJsonSchemas } from "@millrace/contract/documents/json-schemas";
import { nodeTypes } from "../packages/server/src/engine/nodes/registry.ts";

const directory = new URL("../packages/contract/schemas/", import.meta.url);
for (const [file, schema] of Object.entries(documentJsonSchemas(nodeTypes.values()))) {
  await writeFile(new URL(file, directory), `${JSON.stringify(schema, null, 2)}\n`);
}
