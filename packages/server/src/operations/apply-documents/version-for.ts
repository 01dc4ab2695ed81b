import type { FlowSettings } from "@millrace/contract/documents/flow";
import type { FlowGraph } from "@millrace/contract/documents/graph";
import { hashExecutableGraph } from "../../domain/flow/version-hash.ts";
import { nextVersion, versionDay } from "../../domain/version-number.ts";
import { countVersionsOfDay } from "../../storage/catalogue/count-versions-of-day.ts";
import type { Db } from "../../storage/pool.ts";

interface Published {
  readonly organizationId: string;
  readonly flowId: string;
  readonly graph: FlowGraph;
  readonly settings: FlowSettings;
  /** Of the version in force. */
  readonly stored: { readonly version: string | null; readonly hash: string | null } | undefined;
}

/** A new version only where the graph would run differently; a node that was dragged changes the one in force. */
export async function versionFor(
  { db, now }: { readonly db: Db; readonly now: Date },
  { organizationId, flowId, graph, settings, stored }: Published,
): Promise<{ version: string; hash: string }> {
  const hash = hashExecutableGraph(graph, settings);
  if (stored?.version && stored.hash === hash) return { version: stored.version, hash };
  const day = versionDay(now);
  return { version: nextVersion(day, await countVersionsOfDay(db, organizationId, flowId, day)), hash };
}
