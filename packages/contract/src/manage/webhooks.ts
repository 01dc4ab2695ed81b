import { z } from "zod";
import { success } from "../envelope.ts";
import { pageQuery } from "../paging.ts";
import { managedList, organizationScope } from "./managed.ts";

export const webhooksQuery = z.object({ ...organizationScope, ...pageQuery });
export type WebhooksQuery = z.infer<typeof webhooksQuery>;

export const managedWebhook = z.strictObject({
  flowId: z.string(),
  enabled: z.boolean(),
  url: z.string().describe("starts the flow: whoever has it needs no key"),
});
export type ManagedWebhook = z.infer<typeof managedWebhook>;
export const webhooksAnswer = managedList(managedWebhook);
export const webhookAnswer = success(managedWebhook);
export const webhookDeletedAnswer = success(z.strictObject({ flowId: z.string(), deleted: z.literal(true) }));
