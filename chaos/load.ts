import { setTimeout as sleep } from "node:timers/promises";
import { acknowledgedRun, type ApiClient } from "./api-client.ts";
import type { Fleet } from "./fleet.ts";
import type { Operation } from "./history.ts";
import type { Random } from "./random.ts";
import { readStream, type StreamReport } from "./stream-reader.ts";
import { answerWhenAsked, talk } from "./dialogue.ts";
import { forkAfterwards } from "./forking.ts";
import { BUSY, dataCanary, type Workspace } from "./workspace.ts";

export interface Trigger {
  readonly organizationId: string;
  readonly flow: string;
  readonly api: number;
  readonly idempotencyKey?: string;
  readonly options?: Record<string, unknown>;
}

/** Options a kind of flow needs to be what it is. */
const OPTIONS: Record<string, Record<string, unknown>> = {
  flaky: { maxAttempts: 3 },
  broken: { maxAttempts: 2 },
  late: { maxDuration: 2 },
};

const FLOWS = [
  [24, "pure"],
  [16, "effects"],
  [6, "secret"],
  [8, "slow"],
  [6, "nap"],
  [4, "paused"],
  [5, "parent"],
  [5, "flaky"],
  [3, "broken"],
  [3, "handled"],
  [2, "late"],
] as const;

/** By what they can take: a queue that only grows would keep everybody waiting at the end. */
const SHARES = [
  [45, "org_large"],
  [30, "org_paid"],
  [15, "org_poor"],
  [10, "org_small"],
] as const;

/** Clients that use the service in every way at once, for as long as they are told to. */
export class Load {
  readonly streams: StreamReport[] = [];
  readonly #parts: { client: ApiClient; fleet: Fleet; workspace: Workspace };
  readonly #beside: Promise<unknown>[] = [];
  readonly #stop = new AbortController();
  #keys = 0;

  constructor(parts: { client: ApiClient; fleet: Fleet; workspace: Workspace }) {
    this.#parts = parts;
  }

  async run(random: Random, clients: number, signal: AbortSignal): Promise<void> {
    const each = Array.from({ length: clients }, () => this.#client(random.fork(), signal));
    await Promise.all(each);
  }

  async #client(random: Random, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const act = random.weighted([
        [60, () => this.#plain(random)],
        [10, () => this.#cancelled(random)],
        [8, () => this.#sameKey(random)],
        [8, () => this.#webhook(random)],
        [6, () => this.#delayed(random)],
        [3, () => this.#burst(random)],
        [5, () => this.#foreign(random)],
        [8, () => this.#asked(random)],
        [
          8,
          () => forkAfterwards({ load: this, client: this.#parts.client }, random.weighted(SHARES), random),
        ],
        [6, () => talk(this.#parts.client, random.weighted(SHARES), random)],
      ]);
      await act();
      await sleep(random.between(20, 500));
    }
  }

  trigger({ organizationId, flow, api, idempotencyKey, options }: Trigger): Promise<Operation> {
    return this.#parts.client.call({
      kind: "trigger",
      organizationId,
      api,
      method: "POST",
      path: "/api/runs",
      about: { flow, key: idempotencyKey },
      body: (operation) => ({
        payload: {
          flowId: `${organizationId}_${flow}`,
          data: { op: operation.id, canary: dataCanary(organizationId) },
        },
        ...(idempotencyKey !== undefined && { idempotencyKey }),
        ...OPTIONS[flow],
        ...options,
      }),
    });
  }

  async cancel(organizationId: string, runId: string, api: number): Promise<Operation> {
    const path = `/api/runs/${runId}/cancel`;
    return this.#parts.client.call({
      kind: "cancel",
      organizationId,
      api,
      method: "POST",
      path,
      about: { runId },
    });
  }

  async #plain(random: Random): Promise<void> {
    const organizationId = random.weighted(SHARES);
    const api = random.between(0, 1);
    const operation = await this.trigger({ organizationId, flow: random.weighted(FLOWS), api });
    const runId = acknowledgedRun(operation);
    if (runId === undefined) return;
    // The other process must know at once what this one has acknowledged.
    await this.get(organizationId, runId, api + 1);
    if (random.chance(0.2)) this.#follow(organizationId, runId, random.between(0, 1));
    if (operation.status === 202 && random.chance(0.3))
      await this.#deleteQueued(organizationId, runId, api + 1);
  }

  get(organizationId: string, runId: string, api: number): Promise<Operation> {
    const path = `/api/runs/${runId}`;
    return this.#parts.client.call({
      kind: "get",
      organizationId,
      api,
      method: "GET",
      path,
      about: { runId },
    });
  }

  #deleteQueued(organizationId: string, runId: string, api: number): Promise<Operation> {
    const path = `/api/runs/queue/${runId.replace("run_", "queue_")}?filter[organizationId]=${organizationId}`;
    return this.#parts.client.call({
      kind: "delete-queued",
      organizationId,
      api,
      method: "DELETE",
      path,
      about: { runId },
    });
  }

  /** Sometimes in the middle of an effect, sometimes in a race with the end. */
  async #cancelled(random: Random): Promise<void> {
    const organizationId = random.weighted(SHARES);
    const api = random.between(0, 1);
    const flow = random.pick(["long", "long", "slow", "pure", "effects"]);
    const runId = acknowledgedRun(await this.trigger({ organizationId, flow, api }));
    if (runId === undefined) return;
    if (flow === "long" || flow === "slow") await sleep(random.between(100, 2_000));
    else await sleep(random.between(0, 40));
    await this.cancel(organizationId, runId, api + 1);
  }

  async #sameKey(random: Random): Promise<void> {
    const organizationId = random.weighted(SHARES);
    const idempotencyKey = `key-${++this.#keys}`;
    const send = (api: number) => this.trigger({ organizationId, flow: "effects", api, idempotencyKey });
    await Promise.all([send(0), send(1), send(0)]);
    if (random.chance(0.5)) await send(1);
  }

  async #webhook(random: Random): Promise<void> {
    const organizationId = random.weighted(SHARES);
    const key = random.chance(0.5) ? `delivery-${++this.#keys}` : undefined;
    const send = (api: number) =>
      this.#parts.client.call({
        kind: "webhook",
        organizationId,
        api,
        method: "POST",
        path: this.#parts.workspace.webhooks.get(organizationId)!,
        about: { flow: "effects", key },
        headers: key === undefined ? {} : { "x-idempotency-key": key },
        body: (operation) => ({ op: operation.id, canary: dataCanary(organizationId) }),
      });
    await (key === undefined ? send(random.between(0, 1)) : Promise.all([send(0), send(1)]));
  }

  async #delayed(random: Random): Promise<void> {
    const organizationId = random.weighted(SHARES);
    const delay = `${random.between(1, 5)}s`;
    await this.trigger({ organizationId, flow: "pure", api: random.between(0, 1), options: { delay } });
  }

  async #burst(random: Random): Promise<void> {
    const organizationId = random.pick(["org_small", "org_paid"]);
    const flow = random.pick(["pure", "effects"]);
    await Promise.all(Array.from({ length: 10 }, (_, api) => this.trigger({ organizationId, flow, api })));
  }

  /** Another organization's run must not be there for this key, whatever else is going on. */
  async #foreign(random: Random): Promise<void> {
    const owner = random.weighted(SHARES);
    const stranger = random.pick(BUSY.filter(({ id }) => id !== owner)).id;
    const runId = acknowledgedRun(
      await this.trigger({ organizationId: owner, flow: "pure", api: random.between(0, 1) }),
    );
    if (runId === undefined) return;
    const cancels = random.chance(0.5);
    await this.#parts.client.call({
      kind: "foreign",
      organizationId: stranger,
      api: random.between(0, 1),
      method: cancels ? "POST" : "GET",
      path: `/api/runs/${runId}${cancels ? "/cancel" : ""}`,
      about: { runId, owner },
    });
  }

  /** Answered by one or by two at once who do not agree, or by nobody. */
  async #asked(random: Random): Promise<void> {
    const organizationId = random.weighted(SHARES);
    const api = random.between(0, 1);
    const runId = acknowledgedRun(await this.trigger({ organizationId, flow: "asked", api }));
    if (runId === undefined || random.chance(0.1)) return;
    await answerWhenAsked(this.#parts.client, { organizationId, runId, api }, random);
  }

  #follow(organizationId: string, runId: string, api: number): void {
    const key = this.#parts.workspace.keys.get(organizationId)!;
    const read = readStream(this.#parts.fleet, { runId, key, api, signal: this.#stop.signal });
    this.#beside.push(read.then((report) => this.streams.push(report)));
  }

  /** Streams end with their runs; those that do not are ended here. */
  async finish(waitMs: number): Promise<void> {
    await Promise.race([Promise.all(this.#beside), sleep(waitMs, undefined, { ref: false })]);
    this.#stop.abort();
    await Promise.all(this.#beside);
  }
}
