import { streamRunRoute } from "../../src/http/routes/stream-run.ts";
import { EventStreams } from "../../src/http/sse.ts";
import { LiveNodes } from "../../src/operations/runs/live-nodes.ts";
import { RunWatch } from "../../src/operations/runs/run-watch.ts";
import { readEvents } from "../support/event-reader.ts";
import { moveRun } from "../support/runs.ts";
import { startReadService } from "./read-service.ts";

export async function startStreamService(
  options: { max?: number; idleLimitMs?: number; pingAfterMs?: number } = {},
) {
  const streams = new EventStreams({ tickMs: 5, pingAfterMs: options.pingAfterMs });
  const live = new LiveNodes();
  let watch!: RunWatch;
  const service = await startReadService((pool) => {
    watch = new RunWatch({ db: pool, maxListeners: options.max ?? 50, live });
    return [streamRunRoute({ db: pool, watch }, streams, options.idleLimitMs)];
  });
  const open = (runId: string, query = "", headers = {}) =>
    readEvents(`${service.address}/api/runs/${runId}/stream${query}`, service.keys.one, headers);
  return { ...service, streams, watch, live, open };
}
export type StreamService = Awaited<ReturnType<typeof startStreamService>>;

/** Moves a run as this process would, and says so. */
export async function move(service: StreamService, id: string, status: Parameters<typeof moveRun>[2]) {
  await moveRun(service.pool, id, status);
  service.watch.publish([{ organizationId: "org_one", id }]);
}
