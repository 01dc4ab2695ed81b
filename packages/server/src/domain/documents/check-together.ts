import type { WorkspaceDocument } from "@millrace/contract/documents/document";
import type { MemberDocument } from "@millrace/contract/documents/organization";
import type { Problem } from "./fault.ts";
import type { PlacedDocument } from "./parse-source.ts";

export type Report = (placed: PlacedDocument, problem: Problem) => void;

/** What only all the documents together can get wrong. */
export function checkTogether(documents: readonly PlacedDocument[], report: Report): void {
  checkRepeated(documents, report);
  checkMembers(documents, report);
}

/** Flow and agent ids are unique in the whole service, the others in their organization. */
function identity(document: WorkspaceDocument): string {
  const inOrganization = document.kind === "Credential" || document.kind === "EventEndpoint";
  return [document.kind, inOrganization ? document.organizationId : "", document.id].join("|");
}

function checkRepeated(documents: readonly PlacedDocument[], report: Report): void {
  const first = new Map<string, PlacedDocument>();
  for (const placed of documents) {
    const key = identity(placed.document);
    const earlier = first.get(key);
    if (!earlier) first.set(key, placed);
    else {
      const { kind, id } = placed.document;
      const message = `${kind} "${id}" is already described in ${earlier.file}:${earlier.line}`;
      report(placed, { path: ["id"], message });
    }
  }
}

/** A user is one person in every organization: two documents must not disagree about who that is. */
function checkMembers(documents: readonly PlacedDocument[], report: Report): void {
  const known = new Map<string, string>();
  for (const placed of documents) {
    if (placed.document.kind !== "Organization") continue;
    for (const [index, member] of (placed.document.members ?? []).entries()) {
      const person = personOf(member);
      const earlier = known.get(member.id) ?? person;
      known.set(member.id, earlier);
      if (earlier === person) continue;
      const message = `"${member.id}" has another email, name or disabled in another organization's document`;
      report(placed, { path: ["members", index], message });
    }
  }
}

function personOf({ email, name, disabled }: MemberDocument): string {
  return JSON.stringify([email, name, disabled ?? false]);
}
