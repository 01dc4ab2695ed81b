import { z } from "zod";
import { bounded } from "../bounded.ts";
import { safeText, success } from "../envelope.ts";
import { organizationScope } from "./managed.ts";

const MAX_FILES = 2_000;
const MAX_VARIABLES = 1_000;

export const note = safeText.max(1_000).describe("why; kept with every version that is published");

export const documentsBody = z.strictObject({
  files: bounded(
    MAX_FILES,
    z.array(
      z.strictObject({
        path: safeText.min(1).max(1_024).describe("how faults name the file"),
        text: z.string().describe("YAML or JSON, several documents separated by ---"),
      }),
    ),
    "files",
  ),
  note: note.optional(),
  draft: z
    .boolean()
    .optional()
    .describe("keep a flow that would not run as its draft; the version in force stays"),
  prune: z
    .boolean()
    .optional()
    .describe("remove what is stored for the organizations of the documents and missing from them"),
  env: bounded(MAX_VARIABLES, z.record(z.string(), safeText.max(65_536)), "variables")
    .optional()
    .describe("values for `{ env: NAME }` of secrets; the environment of the service is never read"),
  revision: z
    .string()
    .max(64)
    .optional()
    .describe("from a plan: refused with 409 where somebody has changed any of it since"),
});
export type DocumentsBody = z.infer<typeof documentsBody>;

export const exportQuery = z.object({ ...organizationScope });
export type ExportQuery = z.infer<typeof exportQuery>;

export const documentChange = z.strictObject({
  action: z.enum(["created", "updated", "unchanged", "removed"]),
  kind: z.string(),
  id: z.string(),
  organizationId: z.string(),
  version: z.string().optional().describe("of a flow: the version in force"),
  errors: z.array(z.string()).optional().describe("why a flow would not run: it is a draft"),
  warnings: z.array(z.string()).optional(),
});

export const documentFault = z.strictObject({
  file: z.string(),
  line: z.int(),
  column: z.int(),
  path: z.string().describe("in the document: graph.nodes[3].data"),
  message: z.string(),
});

export const documentsResult = z.strictObject({
  documents: z.array(documentChange),
  faults: z.array(documentFault),
  revision: z.string().describe("of what is stored and the documents are about"),
});
export type DocumentsResult = z.infer<typeof documentsResult>;

export const documentsAnswer = success(documentsResult);
