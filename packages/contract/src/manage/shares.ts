import { z } from "zod";
import { bounded } from "../bounded.ts";
import { delayMs } from "../duration.ts";
import { safeText, success, timestamp } from "../envelope.ts";
import { nodeStatuses, runStatuses } from "../run-status.ts";

const MAX_REVEALED = 100;
const MAX_LIFETIME_MS = 90 * 86_400_000;

export const shareBody = z.strictObject(
  {
    reveal: bounded(
      MAX_REVEALED,
      z.array(safeText.min(1).max(512), "must be an array of node keys").max(MAX_REVEALED),
    )
      .default([])
      .describe(
        "keys of the nodes whose input, output and error are shown: fetch, or fetch[3] inside a container",
      ),
    expiresIn: safeText
      .refine((text) => delayMs(text) > 0 && delayMs(text) <= MAX_LIFETIME_MS, {
        message: "must be a whole number above 0 with s, m, h or d, such as 12h or 7d, and at most 90d",
      })
      .default("7d")
      .describe("how long the link works: 30m, 12h, 7d; at most 90d"),
  },
  "must be an object",
);
export type ShareBody = z.infer<typeof shareBody>;

const share = z.strictObject({
  id: z.string().describe("starts with share_"),
  url: z.string().describe("whoever has it sees the run, without a key"),
  expiresAt: timestamp,
});
export type Share = z.infer<typeof share>;
export const shareAnswer = success(share);

export const shareRevokedAnswer = success(z.strictObject({ id: z.string(), revokedAt: timestamp }));

export const sharedRunQuery = z.object({
  download: z
    .literal("json")
    .optional()
    .describe(
      "json: all of it as a file, also for a browser, whose page shows the beginning of large values",
    ),
});

const anyObject = z.record(z.string(), z.unknown());

const sharedNode = z.strictObject({
  nodeKey: z.string(),
  nodeId: z.string(),
  type: z.string(),
  status: z.enum(nodeStatuses),
  startedAt: timestamp,
  completedAt: timestamp.optional(),
  input: anyObject.optional().describe("of the nodes that were chosen"),
  output: anyObject.optional(),
  error: z.strictObject({ name: z.string(), message: z.string() }).optional(),
});

/** What the link shows. */
const sharedRun = z.strictObject({
  id: z.string(),
  flowId: z.string(),
  version: z.string(),
  status: z.enum(runStatuses),
  createdAt: timestamp,
  startedAt: timestamp.optional(),
  completedAt: timestamp.optional(),
  edges: z.array(z.strictObject({ source: z.string(), target: z.string(), handle: z.string() })),
  nodes: z.array(sharedNode),
  expiresAt: timestamp.describe("when the link ends"),
});
export type SharedRun = z.infer<typeof sharedRun>;
export const sharedRunAnswer = success(sharedRun);
