import { setTimeout as sleep } from "node:timers/promises";
import { isTerminal } from "../packages/server/src/domain/run-status.ts";
import { acknowledgedRun, type ApiClient } from "./api-client.ts";
import type { Operation } from "./history.ts";
import type { Random } from "./random.ts";

/** What a client can do with runs beside forking them. */
interface Runs {
  trigger(trigger: { organizationId: string; flow: string; api: number }): Promise<Operation>;
  cancel(organizationId: string, runId: string, api: number): Promise<Operation>;
  get(organizationId: string, runId: string, api: number): Promise<Operation>;
}

/** What is forked, and from where; nothing is named where whatever failed or was stopped goes on. */
const FORKS: readonly (readonly [flow: string, from: string | undefined])[] = [
  ["effects", "second"],
  ["effects", "note"],
  ["effects", undefined],
  ["flaky", undefined],
  ["broken", undefined],
  ["parent", "note"],
  ["parent", undefined],
  ["long", undefined],
];
const LOOKS = 12;
let keys = 0;

/** A run that goes on from one that has ended; sometimes asked for twice with one key. */
export async function forkAfterwards(
  { load, client }: { readonly load: Runs; readonly client: ApiClient },
  organizationId: string,
  random: Random,
): Promise<void> {
  const api = random.between(0, 1);
  const [flow, from] = random.pick(FORKS);
  const runId = acknowledgedRun(await load.trigger({ organizationId, flow, api }));
  if (runId === undefined) return;
  if (flow === "long") {
    await sleep(random.between(200, 2_000));
    await load.cancel(organizationId, runId, api);
  }
  await untilEnded(load, organizationId, runId, api);
  const idempotencyKey = random.chance(0.5) ? `fork-${++keys}` : undefined;
  const send = (to: number) =>
    client.call({
      kind: "fork",
      organizationId,
      api: to,
      method: "POST",
      path: `/api/runs/${runId}/fork`,
      about: { runId, key: idempotencyKey },
      // The tag tells which request made it: its data is that of the run it goes on from.
      body: (operation) => ({ from, idempotencyKey, tags: [operation.id] }),
    });
  await (idempotencyKey === undefined ? send(api) : Promise.all([send(api), send(api + 1)]));
}

/** Or for as long as a client likes to wait. */
async function untilEnded(load: Runs, organizationId: string, runId: string, api: number): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) {
    await sleep(500);
    const { answer } = await load.get(organizationId, runId, api + look);
    const { status = "" } = (answer ?? {}) as { status?: string };
    if (isTerminal(status)) return;
  }
}
