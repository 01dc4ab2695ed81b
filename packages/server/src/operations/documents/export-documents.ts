import type { ExportQuery } from "@millrace/contract/manage/documents";
import { writeYaml } from "../../domain/documents/write-yaml.ts";
import { mayReadValues, organizationFor, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { driveSliced } from "../../domain/sliced.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import { duringEach, labelOf } from "../../lifecycle/under-way.ts";
import { type ExportContext, storedDocuments } from "./stored-documents.ts";

const MAX_EXPORT_LENGTH = 64_000_000;

/**
 * Everything of an organization as YAML that `apply` takes back unchanged. It holds what its lists show to whoever may
 * look, so whoever may look may have it; no secret, token or signing key is part of it.
 */
export async function exportDocuments(
  context: ExportContext,
  principal: Principal,
  query: ExportQuery,
): Promise<string> {
  const organizationId = organizationFor(principal, query.organizationId, "viewer");
  // Tests hold values of runs.
  return exportOrganization(context, organizationId, { tests: mayReadValues(principal, organizationId) });
}

export async function exportOrganization(
  context: ExportContext,
  organizationId: string,
  wanted = { tests: true },
): Promise<string> {
  const texts: string[] = [];
  let length = 0;
  const label = labelOf({ kind: "flow", organizationId, flowId: "" });
  for await (const stored of storedDocuments(context, organizationId, wanted)) {
    const text =
      "remark" in stored
        ? `# ${stored.remark}\n`
        : await driveSliced(duringEach(label, "", writeYaml(stored.document)), () =>
            eventLoop.giveWay(organizationId),
          );
    length += text.length;
    if (length > MAX_EXPORT_LENGTH) throw new Refusal("payload_too_large");
    texts.push(text);
  }
  return texts.join("---\n");
}
