import type { WorkspaceDocument } from "@millrace/contract/documents/document";

export function organizationOf(document: WorkspaceDocument): string {
  return document.kind === "Organization" ? document.id : document.organizationId;
}
