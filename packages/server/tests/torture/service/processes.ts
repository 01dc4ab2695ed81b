import type { ClientConfig } from "pg";
import type { Pool } from "pg";
import { type ChildMillrace, freePort, runMillrace } from "../../support/child-millrace.ts";
import { urlOfDatabase } from "../../fuzz/fuzzed-service.ts";

const WORKERS = 3;
const STARTS = 5;

/** `millrace api` and several `millrace worker`, each a process of its own; workers are killed and started again. */
export class Processes {
  readonly #pool: Pool;
  readonly #env: Record<string, string>;
  readonly #workers: (ChildMillrace | undefined)[] = [];
  readonly #starting = new Set<Promise<void>>();
  #api: ChildMillrace | undefined;
  #isStopping = false;
  kills = 0;

  constructor(pool: Pool, connection: ClientConfig) {
    this.#pool = pool;
    this.#env = {
      DATABASE_URL: urlOfDatabase(connection),
      MILLRACE_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
      MILLRACE_EGRESS_ALLOW: "127.0.0.0/8",
      MILLRACE_REQUESTS_PER_MINUTE: "0",
      MILLRACE_REQUESTS_AT_ONCE: "0",
      MILLRACE_LOG_FORMAT: "json",
      MILLRACE_LOG_LEVEL: "error",
    };
  }

  async start(): Promise<string> {
    const api = await this.#spawn("api");
    this.#api = api;
    // Nobody kills it: whatever ends it is a finding of its own.
    void api.exited().then((code) => {
      if (!this.#isStopping) console.error(`millrace api ended with ${code}: ${api.output()}`);
    });
    await Promise.all(Array.from({ length: WORKERS }, (_, at) => this.#startWorker(at)));
    return api.url;
  }

  async #spawn(role: "api" | "worker"): Promise<ChildMillrace> {
    const child = runMillrace([role], { ...this.#env, PORT: String(await freePort()) });
    await child.ready();
    return child;
  }

  /** Again where it gives up: on a crowded machine the database may not answer a new process in time. */
  async #startWorker(at: number, tries = STARTS): Promise<void> {
    const worker = await this.#spawn("worker").catch((error: unknown) => {
      if (tries === 1) throw error;
    });
    if (!worker) return this.#isStopping ? undefined : this.#startWorker(at, tries - 1);
    if (this.#isStopping) await end(worker);
    else this.#workers[at] = worker;
  }

  /**
   * Kills one worker as if its machine had lost power, and starts another one. A run that has lost two is spared: the
   * third loss would end it, and nothing could be said about what else it does. The last one is not killed before
   * another one answers: a crowded machine would have no workers at all.
   */
  async kill(at: number): Promise<void> {
    const worker = this.#workers[at % WORKERS];
    if (!worker || this.#workers.filter(Boolean).length < 2) return;
    const { rows } = await this.#pool.query(
      `SELECT FROM runs r JOIN processes p ON p.id = r.process_id WHERE p.pid = $1 AND r.recoveries >= 2 LIMIT 1`,
      [worker.process.pid],
    );
    if (rows.length > 0) return;
    this.#workers[at % WORKERS] = undefined;
    this.kills += 1;
    await end(worker);
    const started = this.#startWorker(at % WORKERS).finally(() => this.#starting.delete(started));
    this.#starting.add(started);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([
      ...[this.#api, ...this.#workers].map((child) => child && end(child)),
      ...this.#starting,
    ]);
  }
}

async function end(child: ChildMillrace): Promise<void> {
  child.process.kill("SIGKILL");
  await child.exited();
}
