import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { ClientConfig } from "pg";
import type { Pool } from "pg";
import { Probes } from "./probes.ts";
import { SERVICE, startStallsService, type StallsService } from "./stalls-service.ts";
import {
  addStallsWorkspace,
  type StallsWorkspace,
  startUpstreams,
  type Upstreams,
} from "./stalls-workspace.ts";

export const CONTROL = "control";

/** A database of one's own, migrated or empty. */
export interface OwnDatabase {
  readonly connection: ClientConfig;
  readonly pool: Pool;
  drop(): Promise<void>;
}

export interface ArenaOptions {
  readonly newDatabase: () => Promise<OwnDatabase>;
  /** `bin/millrace.js` of another checkout, to compare with. */
  readonly program?: string | undefined;
}

/** Everything of one start of the service; gone with the next. */
export interface Round {
  readonly service: StallsService;
  readonly workspace: StallsWorkspace;
  readonly db: Pool;
}

/** The measured service among foreign servers that are all ours, and a process beside it that does nothing. */
export class Arena {
  readonly probes: Probes;
  readonly upstreams: Upstreams;
  readonly #options: ArenaOptions;
  readonly #control: ChildProcess;
  #closed = false;
  #round: (Round & { readonly database: OwnDatabase }) | undefined;

  private constructor(probes: Probes, upstreams: Upstreams, control: ChildProcess, options: ArenaOptions) {
    this.probes = probes;
    this.upstreams = upstreams;
    this.#control = control;
    this.#options = options;
  }

  static async open(options: ArenaOptions): Promise<Arena> {
    const probes = await Probes.open();
    const control = spawn(process.execPath, ["--eval", "process.stdin.resume()"], {
      env: { PATH: process.env["PATH"], ...probes.environmentOf(CONTROL) },
      // It ends with us, however we end.
      stdio: ["pipe", "ignore", "inherit"],
    });
    return new Arena(probes, await startUpstreams(), control, options);
  }

  /** The service that runs, or a new one on an empty database where it has ended. */
  async round(): Promise<Round> {
    if (this.#round && !this.hasEnded()) return this.#round;
    await this.endRound();
    if (this.#closed) throw new Error("the search was interrupted");
    const database = await this.#options.newDatabase();
    const service = await startStallsService(this.probes, database.connection, this.#options.program);
    if (this.#closed) await service.kill();
    const workspace = await addStallsWorkspace(database.pool, service.address, this.upstreams);
    this.#round = { service, workspace, db: database.pool, database };
    return this.#round;
  }

  /** Whether a process of the service is gone, replaced or not. */
  hasEnded(): boolean {
    const alive = new Set(this.probes.pidsOf(SERVICE));
    return !this.#round || this.#round.service.pids.some((pid) => !alive.has(pid));
  }

  async endRound(): Promise<void> {
    const round = this.#round;
    this.#round = undefined;
    await round?.service.kill();
    await round?.database.drop();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.endRound();
    const exited = once(this.#control, "exit");
    this.#control.kill();
    await exited;
    await Promise.all(Object.values(this.upstreams).map((server) => server.close()));
    await this.probes.close();
  }
}
