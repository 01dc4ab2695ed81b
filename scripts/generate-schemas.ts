// Writes the JSON Schema of every kind of document, and the node types as data for forms; run it after a change in
// packages/contract/src/documents or a node's inputs.
import { writeFile } from "node:fs/promises";
import { documentJsonSchemas } from "@millrace/contract/documents/json-schemas";
import { nodeCatalogue } from "@millrace/contract/documents/node-catalogue";
import { nodeTypes } from "../packages/server/src/engine/nodes/registry.ts";

const directory = new URL("../packages/contract/schemas/", import.meta.url);
const files = {
  ...documentJsonSchemas(nodeTypes.values()),
  "node-types.json": nodeCatalogue(nodeTypes.values()),
};
for (const [file, content] of Object.entries(files)) {
  await writeFile(new URL(file, directory), `${JSON.stringify(content, null, 2)}\n`);
}
