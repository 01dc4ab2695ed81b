import { setTimeout as sleep } from "node:timers/promises";
import { type Instance, type InstanceOptions, type Role, startInstance } from "./instance.ts";

export interface Slot {
  readonly name: string;
  readonly role: Role;
  instance: Instance | undefined;
  /** Processes that were told to stop while their successor serves. */
  readonly leaving: Set<Instance>;
  incarnations: number;
}

/** A process that ended although nobody had told it to. */
export interface Death {
  readonly instance: string;
  readonly how: string;
}

const RESTART_PAUSE_MS = 200;

/** The processes of the service, each behind a network of its own, with somebody who starts them again. */
export class Fleet {
  readonly slots: readonly Slot[];
  readonly deaths: Death[] = [];
  readonly everStarted: Instance[] = [];
  readonly #options: InstanceOptions;
  readonly #starting = new Map<Slot, Promise<void>>();
  #stopping = false;

  constructor(options: InstanceOptions, shape: Readonly<Record<Role, number>> = { api: 2, worker: 3 }) {
    this.#options = options;
    this.slots = (["api", "worker"] as const).flatMap((role) =>
      Array.from({ length: shape[role] }, (_, at) => ({
        name: `${role}_${at + 1}`,
        role,
        instance: undefined,
        leaving: new Set<Instance>(),
        incarnations: 0,
      })),
    );
  }

  of(role: Role): Slot[] {
    return this.slots.filter((slot) => slot.role === role);
  }

  /** Where requests to the n-th API go now; undefined while it is being started again. */
  address(at: number): { name: string; url: string } | undefined {
    const apis = this.of("api");
    const instance = apis[at % apis.length]?.instance;
    return instance?.alive ? { name: instance.name, url: instance.url } : undefined;
  }

  running(role?: Role): Instance[] {
    return this.slots
      .filter((slot) => role === undefined || slot.role === role)
      .flatMap(({ instance }) => (instance?.alive ? [instance] : []));
  }

  async startAll(): Promise<void> {
    await Promise.all(this.slots.map((slot) => this.start(slot)));
  }

  /** Returns once a process of the slot answers; tried again for as long as the database is away. */
  start(slot: Slot, skewMs = 0): Promise<void> {
    const known = this.#starting.get(slot);
    if (known) return known;
    const started = this.#startUntilReady(slot, skewMs).finally(() => this.#starting.delete(slot));
    this.#starting.set(slot, started);
    return started;
  }

  async #startUntilReady(slot: Slot, skewMs: number): Promise<void> {
    while (!this.#stopping) {
      slot.incarnations += 1;
      const name = `${slot.name}_${slot.incarnations}`;
      const options = { ...this.#options, name, role: slot.role, skewMs };
      // The database may be away just now: then there is neither a role nor a process.
      const instance = await startInstance(options).catch(() => undefined);
      if (!instance) {
        await sleep(RESTART_PAUSE_MS);
        continue;
      }
      if (this.#stopping) return instance.end();
      slot.instance = instance;
      this.everStarted.push(instance);
      void instance.exited.then((how) => this.#onExit(slot, instance, how));
      return;
    }
  }

  #onExit(slot: Slot, instance: Instance, how: string): void {
    slot.leaving.delete(instance);
    if (this.#stopping) return;
    if (!instance.told) this.deaths.push({ instance: instance.name, how });
    if (slot.instance === instance) {
      slot.instance = undefined;
      void sleep(RESTART_PAUSE_MS).then(() => this.start(slot));
    }
  }

  async kill(slot: Slot, skewMs = 0): Promise<void> {
    const { instance } = slot;
    if (!instance) return;
    slot.instance = undefined;
    instance.signal("SIGKILL");
    await instance.exited;
    await sleep(RESTART_PAUSE_MS);
    await this.start(slot, skewMs);
  }

  /** As a deploy does it: the new one serves, then the old one is asked to leave; for a while there are both. */
  async deploy(slot: Slot): Promise<void> {
    const old = slot.instance;
    await this.start(slot);
    if (!old || old === slot.instance) return;
    slot.leaving.add(old);
    old.signal("SIGTERM");
    await old.exited;
  }

  heal(): void {
    for (const instance of this.everStarted) {
      if (!instance.alive) continue;
      instance.signal("SIGCONT");
      instance.proxy.heal();
    }
  }

  /** Until every slot has a process that answers. */
  async whole(): Promise<void> {
    await Promise.all(this.slots.filter(({ instance }) => !instance?.alive).map((slot) => this.start(slot)));
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.everStarted.map((instance) => instance.end()));
  }
}
