import type { WorkspaceDocument } from "@millrace/contract/documents/document";
import type { MemberDocument } from "@millrace/contract/documents/organization";
import type { Fault } from "./fault.ts";
import type { PlacedDocument } from "./parse-source.ts";

/** What only all the documents together can get wrong. */
export function checkTogether(documents: readonly PlacedDocument[]): Fault[] {
  return [...repeatedDocuments(documents), ...disagreeingMembers(documents)];
}

/** Flow and agent ids are unique in the whole service, the others in their organization. */
function identity(document: WorkspaceDocument): string {
  const inOrganization = document.kind === "Credential" || document.kind === "EventEndpoint";
  return [document.kind, inOrganization ? document.organizationId : "", document.id].join("|");
}

function repeatedDocuments(documents: readonly PlacedDocument[]): Fault[] {
  const first = new Map<string, PlacedDocument>();
  return documents.flatMap((placed) => {
    const key = identity(placed.document);
    const earlier = first.get(key);
    if (!earlier) {
      first.set(key, placed);
      return [];
    }
    const { file, line } = earlier.fault({ path: ["id"], message: "" });
    const { kind, id } = placed.document;
    return [
      placed.fault({ path: ["id"], message: `${kind} "${id}" is already described in ${file}:${line}` }),
    ];
  });
}

/** A user is one person in every organization: two documents must not disagree about who that is. */
function disagreeingMembers(documents: readonly PlacedDocument[]): Fault[] {
  const known = new Map<string, string>();
  return documents.flatMap((placed) => {
    if (placed.document.kind !== "Organization") return [];
    return (placed.document.members ?? []).flatMap((member, index) => {
      const person = personOf(member);
      const earlier = known.get(member.id) ?? person;
      known.set(member.id, earlier);
      if (earlier === person) return [];
      const message = `"${member.id}" has another email, name or disabled in another organization's document`;
      return [placed.fault({ path: ["members", index], message })];
    });
  });
}

function personOf({ email, name, disabled }: MemberDocument): string {
  return JSON.stringify([email, name, disabled ?? false]);
}
