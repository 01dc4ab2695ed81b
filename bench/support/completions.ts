import { setTimeout as sleep } from "node:timers/promises";
import { formatRequest, HttpConnection } from "./http-connection.ts";
import { trigger } from "./workspace.ts";

const LOOK_EVERY_MS = 2;
const LATEST_MS = 60_000;

/**
 * Triggers runs at a steady pace, whatever becomes of them, and tells how long each took from the moment it was due until
 * get run said COMPLETED.
 */
export async function measureCompletions(
  target: { readonly port: number; readonly key: string; readonly flowId: string },
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<number[]> {
  const idle: HttpConnection[] = [];
  const startedAtMs = performance.now();
  const measured = await Promise.all(
    Array.from({ length: Math.round(perSecond * seconds) }, async (_, at) => {
      const dueAtMs = startedAtMs + (at * 1000) / perSecond;
      await sleep(Math.max(0, dueAtMs - performance.now()));
      const connection = idle.pop() ?? (await HttpConnection.open(target.port));
      await untilCompleted(connection, target, dueAtMs);
      idle.push(connection);
      return performance.now() - dueAtMs;
    }),
  );
  for (const connection of idle) connection.close();
  return measured;
}

async function untilCompleted(
  connection: HttpConnection,
  { key, flowId }: { readonly key: string; readonly flowId: string },
  dueAtMs: number,
): Promise<void> {
  const late = () => performance.now() - dueAtMs > LATEST_MS;
  let answer = await connection.send(formatRequest(trigger(flowId, key)));
  // A service under attack may refuse a moment long; the caller waits as it is told, and the wait counts.
  while (answer.status === 503 && !late()) {
    await sleep(1_000);
    answer = await connection.send(formatRequest(trigger(flowId, key)));
  }
  const { data } = JSON.parse(answer.body.toString()) as { data?: { id: string } };
  if (!data) throw new Error(`A trigger was answered ${answer.status}: ${answer.body.toString()}`);
  const look = formatRequest({
    method: "GET",
    path: `/api/runs/${data.id}`,
    headers: { authorization: `Bearer ${key}` },
  });
  while (!(await connection.send(look)).body.includes('"COMPLETED"')) {
    if (late()) throw new Error(`The run ${data.id} did not complete.`);
    await sleep(LOOK_EVERY_MS);
  }
}
