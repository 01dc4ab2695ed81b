import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { boolean, integer } from "./columns.ts";
import type { Connection } from "./primary-client.ts";
import { type Queryable, statement } from "./statement.ts";

const CHANNEL = "millrace";
const DEBOUNCE_MS = 20;
const RECONNECT_MS = 500;

export interface WakeUpOptions {
  readonly connection: Connection;
  /** Held by this session for as long as the process lives; its loss tells others that the process is gone. */
  readonly lockKey: number;
  readonly onWakeUp: () => void;
  readonly onError: (error: unknown) => void;
}

const HOLD_SESSION = statement({
  text: `SELECT pg_backend_pid() AS pid, pg_try_advisory_lock($1) AS locked`,
  columns: { pid: integer, locked: boolean },
});

const SEND_HINT = statement({ text: `NOTIFY ${CHANNEL}` });
const HEAR_HINTS = statement({ text: `LISTEN ${CHANNEL}` });
const DO_NOT_WAIT_FOR_DISK = statement({ text: `SET synchronous_commit = off` });

/**
 * Hints between processes. They only save time: whatever a hint would have said is found by the next poll, so
 * they carry nothing, are sent after the commit, at most one every 20 ms, and may get lost.
 */
export class WakeUps {
  readonly #options: WakeUpOptions;
  #client: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sending = false;
  #sendAgain = false;
  #stopping = false;
  #running: Promise<void> = Promise.resolve();

  constructor(options: WakeUpOptions) {
    this.#options = options;
  }

  /** Returns once the first connection stands; from then on it is kept alive. */
  async start(): Promise<void> {
    const first = Promise.withResolvers<void>();
    this.#running = this.#stayConnected(first.resolve);
    await Promise.race([first.promise, sleep(5_000, undefined, { ref: false })]);
  }

  /** Tells the other processes to look; one hint at a time, however slow the database is. */
  send(): void {
    if (this.#sending) this.#sendAgain = true;
    else this.#timer ??= setTimeout(() => void this.#sendNow(), DEBOUNCE_MS);
  }

  async #sendNow(): Promise<void> {
    this.#timer = undefined;
    this.#sending = true;
    await this.#client?.query(SEND_HINT()).catch(this.#options.onError);
    this.#sending = false;
    if (!this.#sendAgain) return;
    this.#sendAgain = false;
    this.send();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => {});
    await this.#running;
  }

  async #stayConnected(onFirst: () => void): Promise<void> {
    while (!this.#stopping) {
      try {
        await this.#session(onFirst);
      } catch (error) {
        if (!this.#stopping) this.#options.onError(error);
      }
      if (!this.#stopping) await sleep(RECONNECT_MS, undefined, { ref: false });
    }
  }

  async #session(onReady: () => void): Promise<void> {
    const { connection } = this.#options;
    const client = new (connection.Client ?? Client)({
      ...connection,
      application_name: "millrace wake-ups",
      keepAlive: true,
      connectionTimeoutMillis: 3_000,
    });
    const ended = new Promise<void>((resolve) => client.once("end", () => resolve()));
    client.on("error", (error) => this.#options.onError(error));
    client.on("notification", ({ processId }) => {
      // Its own hints come back too; this process knew before it sent them.
      if (processId !== ownProcessId) this.#options.onWakeUp();
    });
    let ownProcessId: number | undefined;
    try {
      await client.connect();
      ownProcessId = await holdSession(client, this.#options.lockKey);
      // A hint need not wait for the disk.
      await client.query(DO_NOT_WAIT_FOR_DISK());
      await client.query(HEAR_HINTS());
      this.#client = client;
      onReady();
      // Hints may have been missed while nobody listened.
      this.#options.onWakeUp();
      await ended;
    } finally {
      this.#client = undefined;
      await client.end().catch(() => {});
    }
  }
}

/** Takes the lock that says this process lives; returns what notifications call this session. */
async function holdSession(db: Queryable, lockKey: number): Promise<number> {
  const { rows } = await db.query(HOLD_SESSION([lockKey]));
  return rows[0]!.pid;
}
