import type { FlowGraph } from "@millrace/contract/documents/graph";
import type { FlowDifference, VersionsQuery } from "@millrace/contract/manage/flows";
import { type Page, toPage, toPageRequest } from "../../domain/cursor.ts";
import { diffGraphs } from "../../domain/flow/diff-graphs.ts";
import { hashExecutableGraph } from "../../domain/flow/version-hash.ts";
import type { Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { driveSliced } from "../../domain/sliced.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import { duringEach, labelOf } from "../../lifecycle/under-way.ts";
import { findDraft } from "../../storage/flows/find-draft.ts";
import {
  findVersion,
  listVersions,
  type StoredVersion,
  type VersionRecord,
} from "../../storage/manage-flows/list-versions.ts";
import type { Db } from "../../storage/pool.ts";
import { managedFlow } from "./managed-flow.ts";

type Context = { readonly db: Db };

export interface ListedVersion extends VersionRecord {
  readonly active: boolean;
}

/** Newest first. */
export async function listFlowVersions(
  { db }: Context,
  principal: Principal,
  flowId: string,
  query: VersionsQuery,
): Promise<Page<ListedVersion>> {
  const flow = await managedFlow(db, principal, flowId, "viewer");
  const page = toPageRequest(`versions of ${flowId}`, query);
  const versions = await listVersions(db, flow.organizationId, flowId, page);
  return toPage(
    page,
    versions.map((one) => ({ ...one, active: one.version === flow.version })),
  );
}

export async function getFlowVersion(
  { db }: Context,
  principal: Principal,
  flowId: string,
  version: string,
): Promise<StoredVersion & { readonly active: boolean }> {
  const flow = await managedFlow(db, principal, flowId, "viewer");
  const found = await storedVersion(db, flow.organizationId, flowId, version);
  return { ...found, active: version === flow.version };
}

export interface VersionDiff {
  readonly from: string;
  readonly to: string;
  readonly runsAlike: boolean;
  readonly changes: readonly FlowDifference[];
}

/** In the place of a version: what is not published yet. */
const DRAFT = "draft";

/** What changed from one version to the other, in words. Either may be the draft. */
export async function diffFlowVersions(
  { db }: Context,
  principal: Principal,
  flowId: string,
  { version: from, other: to }: { readonly version: string; readonly other: string },
): Promise<VersionDiff> {
  const { organizationId } = await managedFlow(db, principal, flowId, "viewer");
  const [before, after] = [
    await graphOf(db, organizationId, flowId, from),
    await graphOf(db, organizationId, flowId, to),
  ];
  const label = labelOf({ kind: "flow", organizationId, flowId });
  const changes = await driveSliced(duringEach(label, "", diffGraphs(before, after)), () =>
    eventLoop.giveWay(organizationId),
  );
  return { from, to, runsAlike: hashExecutableGraph(before) === hashExecutableGraph(after), changes };
}

async function graphOf(db: Db, organizationId: string, flowId: string, version: string): Promise<FlowGraph> {
  const draft = version === DRAFT ? await findDraft(db, organizationId, flowId) : undefined;
  return draft?.graph ?? (await storedVersion(db, organizationId, flowId, version)).graph;
}

export async function storedVersion(
  db: Db,
  organizationId: string,
  flowId: string,
  version: string,
): Promise<StoredVersion> {
  const found = await findVersion(db, organizationId, flowId, version);
  if (!found) throw new Refusal("version_not_found", { messageParams: { flowId, version } });
  return found;
}
