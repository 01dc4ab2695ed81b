import type { FlowDifference, VersionsQuery } from "@millrace/contract/manage/flows";
import { type Page, toPage, toPageRequest } from "../../domain/cursor.ts";
import { diffGraphs, diffSettings } from "../../domain/flow/diff-graphs.ts";
import { hashExecutableGraph } from "../../domain/flow/version-hash.ts";
import type { Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { driveSliced } from "../../domain/sliced.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import { duringEach, labelOf } from "../../lifecycle/under-way.ts";
import { findDraft } from "../../storage/flows/find-draft.ts";
import { findFlowSettings } from "../../storage/flows/find-flow-settings.ts";
import { findManagedFlow } from "../../storage/manage-flows/list-managed-flows.ts";
import {
  findVersion,
  listVersions,
  type StoredVersion,
  type VersionRecord,
} from "../../storage/manage-flows/list-versions.ts";
import type { Db } from "../../storage/pool.ts";
import type { VersionContent } from "./check-graph.ts";
import { managedFlow } from "./managed-flow.ts";

type Context = { readonly db: Db };

export interface ListedVersion extends VersionRecord {
  readonly active: boolean;
}

/** Newest first. */
export async function listFlowVersions(
  { db }: Context,
  principal: Principal | undefined,
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
  principal: Principal | undefined,
  flowId: string,
  { version: from, other: to }: { readonly version: string; readonly other: string },
): Promise<VersionDiff> {
  const { organizationId } = await managedFlow(db, principal, flowId, "viewer");
  const [before, after] = [
    await contentOf(db, organizationId, flowId, from),
    await contentOf(db, organizationId, flowId, to),
  ];
  const label = labelOf({ kind: "flow", organizationId, flowId });
  const changes = await driveSliced(duringEach(label, "", diffGraphs(before.graph, after.graph)), () =>
    eventLoop.giveWay(organizationId),
  );
  return {
    from,
    to,
    runsAlike: hashOf(before) === hashOf(after),
    changes: [...diffSettings(before.settings, after.settings), ...changes],
  };
}

function hashOf({ graph, settings }: VersionContent): string {
  return hashExecutableGraph(graph, settings);
}

async function contentOf(
  db: Db,
  organizationId: string,
  flowId: string,
  version: string,
): Promise<VersionContent> {
  const draft = version === DRAFT ? await findDraft(db, organizationId, flowId) : undefined;
  if (draft?.settings) return { graph: draft.graph, settings: draft.settings };
  if (!draft) {
    const { graph, settings } = await storedVersion(db, organizationId, flowId, version);
    return { graph, settings: settings ?? {} };
  }
  const inForce = (await findManagedFlow(db, flowId))?.version;
  const settings = inForce == null ? {} : await findFlowSettings(db, organizationId, flowId, inForce);
  return { graph: draft.graph, settings };
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
