import { z } from "zod";
import { documentKinds, documentSchemas, workspaceDocument } from "./document.ts";

/** File name to JSON Schema: one for every kind, and one that takes any document. */
export function documentJsonSchemas(): Record<string, object> {
  const kinds = documentKinds.map((kind) => [
    `${kebabCase(kind)}.schema.json`,
    { title: kind, ...z.toJSONSchema(documentSchemas[kind], { io: "input" }) },
  ]);
  const any = { title: "Millrace document", ...z.toJSONSchema(workspaceDocument, { io: "input" }) };
  return Object.fromEntries([...kinds, ["millrace.schema.json", any]]);
}

function kebabCase(kind: string): string {
  return kind.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
}
