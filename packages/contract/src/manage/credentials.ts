import { z } from "zod";
import { credentialDocument } from "../documents/credential.ts";
import { success, timestamp } from "../envelope.ts";
import { pageQuery } from "../paging.ts";
import { managedList, organizationScope } from "./managed.ts";

export const credentialsQuery = z.object({ ...organizationScope, ...pageQuery });
export type CredentialsQuery = z.infer<typeof credentialsQuery>;

export const managedCredential = z.strictObject({
  id: z.string(),
  type: z.string(),
  allowedHosts: z.array(z.string()),
  createdAt: timestamp,
  updatedAt: timestamp.optional(),
});
export type ManagedCredential = z.infer<typeof managedCredential>;
export const credentialsAnswer = managedList(managedCredential);

const { type, allowedHosts, allowUnencrypted } = credentialDocument.shape;

export const setCredentialBody = z.strictObject({
  ...organizationScope,
  type,
  allowedHosts,
  allowUnencrypted,
  secret: z
    .record(z.string(), z.string().max(65_536))
    .describe("encrypted at rest, never shown again; the fields depend on the type"),
});
export type SetCredentialBody = z.infer<typeof setCredentialBody>;

export const credentialQuery = z.object({ ...organizationScope });
export const credentialSetAnswer = success(
  z.strictObject({ id: z.string(), action: z.enum(["created", "updated", "unchanged"]) }),
);
export const credentialDeletedAnswer = success(z.strictObject({ id: z.string(), deleted: z.literal(true) }));
