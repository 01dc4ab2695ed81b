import { setTimeout as sleep } from "node:timers/promises";
import type { Fleet } from "./fleet.ts";

/** What one reader of a run's stream was told. */
export interface StreamReport {
  readonly runId: string;
  /** Every `completed`, over all connections: one connection may bring one. */
  readonly completed: string[];
  /** More than one `completed`, or anything after it, on one connection. */
  readonly faults: string[];
}

const MAX_CONNECTIONS = 8;

/** Follows a run until `completed`; connects again where the connection is lost. */
export async function readStream(
  fleet: Fleet,
  { runId, key, api, signal }: { runId: string; key: string; api: number; signal: AbortSignal },
): Promise<StreamReport> {
  const report: StreamReport = { runId, completed: [], faults: [] };
  for (let connection = 0; connection < MAX_CONNECTIONS && !signal.aborted; connection++) {
    const address = fleet.address(api + connection);
    if (address && (await readOnce(`${address.url}/api/runs/${runId}/stream`, key, report, signal)))
      return report;
    await sleep(500);
  }
  return report;
}

async function readOnce(
  url: string,
  key: string,
  report: StreamReport,
  signal: AbortSignal,
): Promise<boolean> {
  let ended = false;
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` }, signal });
    if (!response.ok || !response.body) return false;
    let text = "";
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const messages = text.split("\n\n");
      text = messages.pop() ?? "";
      for (const message of messages) {
        const data = message.split("\n").find((line) => line.startsWith("data: "));
        if (data === undefined) continue;
        const event = JSON.parse(data.slice(6)) as { type: string; status?: string };
        if (ended) report.faults.push(`${event.type} after completed`);
        if (event.type !== "completed") continue;
        ended = true;
        report.completed.push(event.status ?? "none");
      }
    }
  } catch {
    // The process is gone or the network is cut: the next connection goes on.
  }
  return ended;
}
