import type { SharedRoom } from "../domain/fair-share.ts";
import type { CompiledFlow } from "../domain/flow/compile.ts";
import { weighJson } from "../domain/json-measure.ts";
import { readJson } from "../domain/read-json.ts";
import { type ClaimedRun, SMALL_PAYLOAD, type UnreadPayload } from "../domain/run.ts";
import { driveSliced } from "../domain/sliced.ts";
import { eventLoop } from "../lifecycle/event-loop.ts";
import type { Holding, MemoryPort, SharedMemory } from "../lifecycle/shared-memory.ts";
import { collectYoung } from "../lifecycle/young-generation.ts";
import type { NodeRecord } from "./flow-runner/run-types.ts";
import { HeldFlows } from "./held-flows.ts";

/** What a run of an organization is expected to hold before any was seen. */
const guessBytes = 1_000_000;
/** What counts of the expectation before, when another run has ended: one large run alone holds up no others. */
const inertia = 0.9;
/** Of the budget: organizations whose runs hold less need not be looked at. */
const slightShare = 1 / 1_024;
const maxOrganizations = 1_000;
/** Whatever they bring. */
const alwaysAtOnce = 16;
/** Each may bring far more than was expected. */
const maxLoadsAtOnce = 8;
/** What is written is there as values, as a text and as the bytes of it. */
const copies = 2;
/** Less is written, or compiled, before anybody could notice. */
const smallBytes = 200_000;

/** What the runs of a worker hold in memory, and what others are expected to. */
export class WorkerMemory {
  readonly flows = new HeldFlows();
  readonly #shared: SharedMemory;
  /** By organization, what a run of it holds at its largest. */
  readonly #expected = new Map<string, number>();
  readonly #heavy = new Set<string>();
  readonly #slightBytes: number;
  readonly #nextLoads: (() => void)[] = [];
  #loads = 0;

  constructor(shared: SharedMemory) {
    this.#shared = shared;
    this.#slightBytes = shared.freeBytes * slightShare;
  }

  /** How many runs may be taken at once when nobody knows whose they are. */
  get mostAtOnce(): number {
    return Math.max(alwaysAtOnce, Math.floor(this.#shared.freeBytes / guessBytes));
  }

  /** How many more runs of an organization there is room for, going by the last ones. */
  roomFor(organizationId: string): number {
    const expected = this.#expectedOf(organizationId);
    const runs = this.#shared.holdingsOf(organizationId);
    const room = Math.floor(this.#shared.leftFor(organizationId, runs * expected) / expected);
    return runs > 0 ? room : Math.max(1, room);
  }

  /** The room there is for each where it is less than that. */
  limit(shared: SharedRoom): SharedRoom {
    const rooms = new Map(shared.organizationIds.map((id, at) => [id, shared.rooms[at]!]));
    for (const id of new Set([...this.#heavy, ...this.#shared.organizationIds])) {
      const room = this.roomFor(id);
      if (room < (rooms.get(id) ?? shared.newcomer)) rooms.set(id, room);
    }
    return { ...shared, organizationIds: [...rooms.keys()], rooms: [...rooms.values()] };
  }

  open(run: ClaimedRun): RunMemory {
    const holding = this.#shared.open(run.organizationId);
    if (run.payloadLength <= SMALL_PAYLOAD) holding.add(weighPayload(run));
    return new RunMemory(this, holding);
  }

  /** For runs alone: reads what is large when there is room for it, and weighs it in a turn of its own. */
  async takePayload(holding: Holding, run: ClaimedRun): Promise<ClaimedRun> {
    const { unread } = run;
    const expected = copies * run.payloadLength;
    return unread === undefined
      ? weighInTurn(holding, run)
      : this.#whereRoom(holding, expected, async () => weighInTurn(holding, await read(run, unread)));
  }

  #expectedOf(organizationId: string): number {
    return this.#expected.get(organizationId) ?? guessBytes;
  }

  /** For runs alone: one that held so much has ended. */
  learn({ organizationId, mostBytes }: Holding): void {
    const expected = inertia * this.#expectedOf(organizationId) + (1 - inertia) * mostBytes;
    this.#expected.set(organizationId, Math.max(1, expected));
    if (expected > this.#slightBytes) this.#heavy.add(organizationId);
    else this.#heavy.delete(organizationId);
    const [oldest] = this.#expected.keys();
    if (this.#expected.size > maxOrganizations) this.#forget(oldest!);
  }

  #forget(organizationId: string): void {
    this.#expected.delete(organizationId);
    this.#heavy.delete(organizationId);
  }

  /** For runs alone, when there is room for what an organization's runs hold. */
  load<Left extends LeftBehind>(holding: Holding, load: () => Promise<Left>): Promise<Left> {
    return this.#whereRoom(holding, 0, async () => {
      const left = await load();
      holding.add(left.records.reduce((sum, record) => sum + weighJson(record), 0));
      return left;
    });
  }

  async #whereRoom<Result>(
    holding: Holding,
    leastBytes: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const expected = Math.max(leastBytes, this.#expected.get(holding.organizationId) ?? 0);
    holding.add(expected);
    try {
      // First: whoever waits for its organization keeps nobody else from loading.
      await holding.room();
      return await this.#loadInTurn(work);
    } finally {
      holding.add(-expected);
    }
  }

  async #loadInTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    while (this.#loads >= maxLoadsAtOnce) await new Promise<void>((next) => this.#nextLoads.push(next));
    this.#loads += 1;
    try {
      return await work();
    } finally {
      this.#loads -= 1;
      this.#nextLoads.shift()?.();
    }
  }
}

function weighPayload({ data, inputs, trigger }: ClaimedRun): number {
  return weighJson(data) + weighJson(inputs) + weighJson(trigger);
}

async function weighInTurn(holding: Holding, run: ClaimedRun): Promise<ClaimedRun> {
  await new Promise<void>((resolve) => eventLoop.queue(run.organizationId, resolve));
  holding.add(weighPayload(run));
  collectYoung();
  return run;
}

async function read(run: ClaimedRun, unread: UnreadPayload): Promise<ClaimedRun> {
  const whole: Record<string, unknown> = { ...run, unread: undefined };
  for (const [name, text] of Object.entries(unread))
    whole[name] = await driveSliced(readJson(text), () => eventLoop.giveWay(run.organizationId));
  return whole as unknown as ClaimedRun;
}

interface LeftBehind {
  readonly records: readonly NodeRecord[];
}

/** What one run holds. */
export class RunMemory implements MemoryPort {
  readonly #worker: WorkerMemory;
  readonly #holding: Holding;
  /** Where it is large. */
  #flow: CompiledFlow | undefined;

  constructor(worker: WorkerMemory, holding: Holding) {
    this.#worker = worker;
    this.#holding = holding;
  }

  add(bytes: number): void {
    this.#holding.add(bytes);
  }

  room(): Promise<void> | undefined {
    return this.#holding.room();
  }

  /** The run with what it was started with. */
  take(run: ClaimedRun): Promise<ClaimedRun> | ClaimedRun {
    return run.payloadLength <= SMALL_PAYLOAD ? run : this.#worker.takePayload(this.#holding, run);
  }

  /** Loads what the run has left behind when there is room for it. */
  load<Left extends LeftBehind>(load: () => Promise<Left>): Promise<Left> {
    return this.#worker.load(this.#holding, load);
  }

  /** Takes the flow from where it is kept; a large one when there is room for it. */
  async flow(take: () => Promise<CompiledFlow>): Promise<CompiledFlow> {
    const flow = await take();
    return flow.bytes <= smallBytes ? flow : this.#takeLarge(this.#worker.flows.weigh(flow), take);
  }

  async #takeLarge(expected: number, take: () => Promise<CompiledFlow>): Promise<CompiledFlow> {
    this.#flow = await this.#worker.flows.take(this.#holding, expected, take);
    return this.#flow;
  }

  /** Writes values of so many bytes when there is room for what is made of them on their way. */
  write<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    return bytes <= smallBytes ? work() : this.#writeLarge(bytes, work);
  }

  async #writeLarge<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
    this.add(copies * bytes);
    try {
      await this.room();
      return await work();
    } finally {
      this.add(-copies * bytes);
    }
  }

  close(): void {
    this.#worker.learn(this.#holding);
    if (this.#flow) this.#worker.flows.leave(this.#holding, this.#flow);
    this.#holding.close();
  }
}
