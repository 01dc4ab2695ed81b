import { z } from "zod";
import { flowSettingsSchema } from "../documents/flow.ts";
import { flowGraphSchema } from "../documents/graph.ts";
import { success, timestamp } from "../envelope.ts";
import { pageQuery } from "../paging.ts";
import { runCreatedAnswer, runQueuedAnswer, triggerPayload } from "../trigger.ts";
import { designId } from "../ids.ts";
import { name } from "../documents/fields.ts";
import { note } from "./documents.ts";
import { managedList, organizationScope } from "./managed.ts";

export const managedFlowsQuery = z.object({ ...organizationScope, ...pageQuery });
export type ManagedFlowsQuery = z.infer<typeof managedFlowsQuery>;

export const managedFlow = z.strictObject({
  id: z.string(),
  name: z.string(),
  slug: z.string().nullable(),
  organizationId: z.string(),
  state: z
    .enum(["active", "inactive", "draft"])
    .describe("inactive: webhooks and schedules do not start it; draft: it has no published version"),
  version: z.string().nullable().describe("the version in force"),
  hasDraft: z.boolean().describe("there are changes that are not published"),
  revision: z.int().describe("of the draft"),
  managedBy: z
    .enum(["apply", "console"])
    .describe("apply: files bring its document, and the editor leaves it alone until it is detached"),
  webhook: z.enum(["enabled", "disabled", "none"]),
  schedules: z.int(),
  createdAt: timestamp,
  updatedAt: timestamp.nullable(),
});
export type ManagedFlow = z.infer<typeof managedFlow>;
export const managedFlowsAnswer = managedList(managedFlow);
export const managedFlowAnswer = success(managedFlow);

export const versionsQuery = z.object({ ...pageQuery });
export type VersionsQuery = z.infer<typeof versionsQuery>;

export const flowVersion = z.strictObject({
  version: z.string(),
  active: z.boolean().describe("this is the version in force"),
  createdAt: timestamp,
  author: z.string().optional().describe("the user who published it"),
  note: z.string().optional(),
  nodes: z.int().describe("how many nodes it has"),
});
export type FlowVersion = z.infer<typeof flowVersion>;
export const flowVersionsAnswer = managedList(flowVersion);
/** As it was stored: a version may be older than a rule. */
const storedSettings = flowSettingsSchema
  .loose()
  .describe("what the document says beside its graph: input, tool, onFailure, requireTests");
export const flowVersionAnswer = success(
  flowVersion.extend({ graph: flowGraphSchema.loose(), settings: storedSettings }),
);

export const flowDifference = z.strictObject({
  what: z.enum(["node", "edge", "setting"]),
  id: z.string().describe("of the node; of an edge `source → target`; of a setting its name, such as input"),
  change: z.enum(["added", "removed", "changed"]),
  text: z.string().describe("in words"),
  label: z.string().optional().describe("of the node, where it has one beside its id"),
  type: z.string().optional().describe("of a node that was added or removed"),
  field: z
    .string()
    .optional()
    .describe(
      "what of a node changed: type, parentId, a setting such as retry.maxAttempts, or inputs.<name>",
    ),
  before: z.string().optional().describe("as JSON, shortened; left out where nothing was there"),
  after: z.string().optional(),
});
export type FlowDifference = z.infer<typeof flowDifference>;
export const flowDiffAnswer = success(
  z.strictObject({
    from: z.string(),
    to: z.string(),
    runsAlike: z.boolean().describe("nothing differs but the canvas"),
    changes: z.array(flowDifference),
  }),
);

export const rollbackBody = z.strictObject({ version: z.string().max(64), note: note.optional() });
export type RollbackBody = z.infer<typeof rollbackBody>;
export const publishBody = z
  .strictObject({
    note: note.optional(),
    revision: z
      .int()
      .min(0)
      .optional()
      .describe("of the draft that is meant; another one is refused with 409"),
  })
  .optional();
export type PublishBody = z.infer<typeof publishBody>;
export const publishedAnswer = success(
  z.strictObject({
    flowId: z.string(),
    version: z.string().describe("in force now"),
    previous: z.string().nullable().describe("in force before"),
    warnings: z.array(z.string()),
  }),
);

export const draftBody = z.strictObject({
  graph: flowGraphSchema,
  settings: flowSettingsSchema
    .optional()
    .describe("what the document says beside its graph, whole; left out: as it is"),
  revision: z.int().min(0),
});
export type DraftBody = z.infer<typeof draftBody>;
export const flowDraft = z.strictObject({
  flowId: z.string(),
  name: z.string(),
  managedBy: managedFlow.shape.managedBy,
  graph: flowGraphSchema.loose().describe("of the draft, or of the version in force where there is none"),
  settings: storedSettings,
  revision: z.int().describe("to be sent with the next change"),
  saved: z.boolean().describe("there is a draft of its own"),
  version: z.string().nullable().describe("the version in force"),
  author: z.string().optional(),
  updatedAt: timestamp.optional(),
});
export const flowDraftAnswer = success(flowDraft);
export const createFlowBody = z.strictObject({
  ...organizationScope,
  id: designId.optional().describe("made from the name where it is left out"),
  name: name.optional().describe("of the template or of the copied flow where it is left out; else required"),
  template: z.string().max(64).optional().describe("begin with this one, its tests and the flows it runs"),
  copyOf: designId.optional().describe("begin with the draft and the tests of this flow"),
  graph: flowGraphSchema.optional().describe("begin with this one; with a single start node unless stated"),
  settings: flowSettingsSchema.optional(),
});
export type CreateFlowBody = z.infer<typeof createFlowBody>;
export const flowCreated = z.strictObject({
  flowId: z.string(),
  revision: z.int().describe("of its draft; nothing of it is in force"),
  flows: z
    .array(z.string())
    .describe("all that were made: the flow itself, then those that a template brings for it to run"),
});
export const flowCreatedAnswer = success(flowCreated);

export const runDraftBody = z
  .strictObject({
    graph: flowGraphSchema.optional().describe("this one instead of the draft"),
    runId: z
      .string()
      .max(64)
      .optional()
      .describe("go on from what this ended run has done, with what it was started with"),
    nodeId: designId
      .optional()
      .describe("begin with this node; what ended before it is copied, not executed again"),
    only: z.boolean().optional().describe("true: nothing behind the node is executed"),
    trigger: triggerPayload.shape.trigger,
    data: triggerPayload.shape.data,
  })
  .prefault({});
export type RunDraftBody = z.infer<typeof runDraftBody>;
const draftRunFields = { warnings: z.array(z.string()).describe("what of the run could not be taken over") };
export const draftRunCreatedAnswer = runCreatedAnswer.extend({
  data: runCreatedAnswer.shape.data.extend(draftRunFields),
});
export const draftRunQueuedAnswer = runQueuedAnswer.extend({
  data: runQueuedAnswer.shape.data.extend(draftRunFields),
});

export const draftSavedAnswer = success(z.strictObject({ flowId: z.string(), revision: z.int() }));

export const validateDraftBody = z
  .strictObject({
    graph: flowGraphSchema.optional().describe("this one instead of the draft's"),
    settings: flowSettingsSchema.optional().describe("these instead of the draft's"),
  })
  .optional();
export type ValidateDraftBody = z.infer<typeof validateDraftBody>;
export const draftValidation = z.strictObject({
  valid: z.boolean(),
  errors: z.array(z.string()),
  warnings: z.array(z.string()),
  problems: z
    .array(
      z.strictObject({
        path: z.array(z.union([z.string(), z.number()])).describe("in the graph"),
        message: z.string(),
      }),
    )
    .describe("the errors with their places"),
});
export const draftValidationAnswer = success(draftValidation);

export const deleteFlowQuery = z.object({
  runs: z.enum(["cancel", "keep"]).default("cancel").describe("what becomes of its waiting and paused runs"),
});
export type DeleteFlowQuery = z.infer<typeof deleteFlowQuery>;
const affected = z.strictObject({ count: z.int(), becomes: z.enum(["canceled", "goes on"]) });
export const flowDeletion = z.strictObject({
  flowId: z.string(),
  runs: z.strictObject({ executing: affected, queued: affected, delayed: affected, paused: affected }),
  schedules: z.int().describe("end with the flow"),
  webhook: z.boolean().describe("its address is refused from then on"),
});
export const flowDeletionAnswer = success(flowDeletion);
export const flowDeletedAnswer = success(flowDeletion.extend({ deletedAt: timestamp }));
