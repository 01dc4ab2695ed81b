import { createHash, timingSafeEqual } from "node:crypto";
import type { Actor } from "../../domain/actor.ts";
import type { IdMaker } from "../../domain/ids.ts";
import { type NodeChange, tellInOrder } from "../../domain/node-changes.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { RunNodeRecord, RunRecord } from "../../domain/run-record.ts";
import type { Db } from "../../storage/pool.ts";
import { findRun } from "../../storage/runs/find-run.ts";
import { findShare, type StoredShare } from "../../storage/shares/find-share.ts";
import { readChosenRecords } from "../../storage/shares/read-chosen-records.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { FlowLibrary } from "../flows/flow-library.ts";
import { readNodeChanges } from "../runs/read-node-changes.ts";

/** Compared with where there is nothing to compare with, so that both take the same time. */
const NO_HASH = Buffer.alloc(32);

export interface SeenShare {
  readonly run: RunRecord;
  readonly edges: readonly { readonly source: string; readonly target: string; readonly handle: string }[];
  readonly nodes: readonly NodeChange[];
  /** Of the nodes that were chosen, by key. */
  readonly values: ReadonlyMap<string, RunNodeRecord>;
  readonly expiresAt: Date;
}

/** What a link opens; undefined for every way to have a wrong one. */
export async function openShare(
  { db }: { readonly db: Db },
  shareId: string,
  token: string,
): Promise<StoredShare | undefined> {
  const share = await findShare(db, shareId);
  const given = createHash("sha256").update(token).digest();
  return timingSafeEqual(given, share?.tokenHash ?? NO_HASH) ? share : undefined;
}

/** The run as it is now. That somebody looked is written down first. */
export async function viewShare(
  { db, ids, library }: { readonly db: Db; readonly ids: IdMaker; readonly library: FlowLibrary },
  actor: Actor,
  { organizationId, id, runId, reveal, expiresAt }: StoredShare,
): Promise<SeenShare> {
  const run = await findRun(db, [organizationId], runId);
  if (!run) throw new Refusal("link_not_found");
  const view = { organizationId, action: "run.view_share", target: runId, after: { shareId: id } };
  await recordAudit({ db, ids }, { ...actor, viaId: id }, view);
  const [changes, records, edges] = await Promise.all([
    readNodeChanges(db, [{ ...run, known: [] }]),
    readChosenRecords(db, { organizationId, runId }, reveal),
    edgesOf(library, run),
  ]);
  const told = new Map<string, NodeChange>();
  tellInOrder(told, { stored: changes.get(runId) ?? [] });
  const nodes = [...told.values()].toSorted((a, b) => a.startedAt - b.startedAt);
  return { run, edges, nodes, values: new Map(records.map((record) => [record.nodeKey, record])), expiresAt };
}

async function edgesOf(
  library: FlowLibrary,
  { organizationId, flowId, version }: RunRecord,
): Promise<SeenShare["edges"]> {
  const flow = await library.compiled(organizationId, flowId, version);
  const scopes = [flow.root, ...[...flow.nodes.values()].flatMap(({ children }) => children ?? [])];
  return scopes.flatMap(({ nodes }) =>
    nodes.flatMap(({ id, outgoing }) =>
      outgoing.map(({ handle, target }) => ({ source: id, target: nodes[target]!.id, handle })),
    ),
  );
}
