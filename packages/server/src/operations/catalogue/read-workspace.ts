import type { AgentDocument } from "@millrace/contract/documents/agent";
import type { CredentialDocument } from "@millrace/contract/documents/credential";
import type { FlowDocument } from "@millrace/contract/documents/flow";
import type { VariableValues } from "@millrace/contract/documents/variables";
import type { FlowReferences } from "../../domain/flow/validation/flow-to-check.ts";
import { readReferences } from "../apply-documents/flow-references.ts";
import { readDocuments } from "../apply-documents/read-documents.ts";

/** What some files hold, without anything that is stored. */
export interface FileWorkspace {
  readonly flows: readonly FlowDocument[];
  readonly agents: readonly AgentDocument[];
  readonly credentials: readonly CredentialDocument[];
  /** By organization: what its document sets. */
  readonly variables: ReadonlyMap<string, VariableValues>;
  /** By organization. */
  readonly references: ReadonlyMap<string, FlowReferences>;
}

export async function readWorkspace(paths: readonly string[]): Promise<FileWorkspace> {
  const placed = await readDocuments(paths);
  const documents = placed.map(({ document }) => document);
  return {
    flows: documents.filter((document) => document.kind === "Flow"),
    agents: documents.filter((document) => document.kind === "Agent"),
    credentials: documents.filter((document) => document.kind === "Credential"),
    variables: new Map(
      documents.flatMap((document) =>
        document.kind === "Organization" && document.variables ? [[document.id, document.variables]] : [],
      ),
    ),
    references: await readReferences(undefined, placed),
  };
}
