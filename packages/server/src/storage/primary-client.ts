import { Client, type ClientConfig } from "pg";
import { boolean, integer, orNull } from "./columns.ts";
import { type HostAddress, hasSeveralHosts, hostsOf, withFirstHost } from "./database-hosts.ts";
import { type Queryable, statement } from "./statement.ts";

/** How to reach the database; with several hosts `Client` finds the one that takes writes. */
export interface Connection extends ClientConfig {
  readonly Client?: typeof Client;
}

export function connectionOf(databaseUrl: string): Connection {
  if (!hasSeveralHosts(databaseUrl)) return { connectionString: databaseUrl };
  const connection = { connectionString: withFirstHost(databaseUrl) };
  return { ...connection, Client: primaryClient(new Primary(connection, hostsOf(databaseUrl))) };
}

// Below the two seconds a pool waits for a connection.
const PROBE_MS = 1_500;

/** No host takes writes right now; SQLSTATE cannot_connect_now, so that callers hear "unavailable" and try again. */
class NoPrimary extends Error {
  readonly code = "57P03";
}

/** Which of several hosts is the primary: asked once, and again when a connection to it was lost or failed. */
class Primary {
  readonly #connection: ClientConfig;
  readonly #hosts: readonly HostAddress[];
  #found: Promise<HostAddress> | undefined;

  constructor(connection: ClientConfig, hosts: readonly HostAddress[]) {
    this.#connection = connection;
    this.#hosts = hosts;
  }

  find(): Promise<HostAddress> {
    if (!this.#found) {
      const asking = this.#ask();
      this.#found = asking;
      asking.catch(() => this.forget(asking));
    }
    return this.#found;
  }

  /** Only what the caller found out about is forgotten; somebody else may know better by now. */
  forget(known: Promise<HostAddress>): void {
    if (this.#found === known) this.#found = undefined;
  }

  async #ask(): Promise<HostAddress> {
    const answers = await Promise.all(this.#hosts.map((address) => this.#probe(address)));
    const primaries = answers.filter((answer) => answer.timeline !== undefined);
    // A primary that was replaced and came back as one is recognised by its older timeline.
    const [newest] = primaries.toSorted((a, b) => b.timeline! - a.timeline!);
    if (newest) return newest.address;
    const reasons = answers.map(
      ({ address, reason }) => `${address.host}:${address.port} ${reason ?? "is a standby"}`,
    );
    throw new NoPrimary(`No host of DATABASE_URL takes writes: ${reasons.join(", ")}`);
  }

  async #probe(address: HostAddress): Promise<{ address: HostAddress; timeline?: number; reason?: string }> {
    const client = clientAt(new Client({ ...this.#connection, connectionTimeoutMillis: PROBE_MS }), address);
    client.on("error", () => {});
    // The connection has a limit of its own; this one is for a host that takes the connection and says nothing more.
    const timer = setTimeout(() => client.connection.stream.destroy(), PROBE_MS);
    try {
      await client.connect();
      return { address, timeline: await timelineOf(client) };
    } catch (error) {
      return { address, reason: (error as Error).message };
    } finally {
      clearTimeout(timer);
      await client.end().catch(() => {});
    }
  }
}

const READ_TIMELINE = statement({
  text: `SELECT CASE WHEN NOT pg_is_in_recovery()
              THEN ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer END AS timeline`,
  columns: { timeline: orNull(integer) },
});

async function timelineOf(db: Queryable): Promise<number | undefined> {
  const { rows } = await db.query(READ_TIMELINE());
  return rows[0]?.timeline ?? undefined;
}

const IS_STANDBY = statement({
  text: `SELECT pg_is_in_recovery() AS standby`,
  columns: { standby: boolean },
});

async function isStandby(db: Queryable): Promise<boolean> {
  const { rows } = await db.query(IS_STANDBY());
  return rows[0]!.standby;
}

function clientAt(client: Client, { host, port }: HostAddress): Client {
  client.host = host;
  client.port = port;
  return client;
}

/** A client like any other, except that it is told where to connect at the last moment. */
function primaryClient(primary: Primary): typeof Client {
  type Done = (error: Error | null, client?: Client) => void;

  return class PrimaryClient extends Client {
    override connect(): Promise<Client>;
    override connect(done: Done): void;
    override connect(done?: Done): Promise<Client> | void {
      const connected = this.#connectToPrimary();
      if (!done) return connected;
      connected.then(
        (client) => done(null, client),
        (error: Error) => done(error),
      );
    }

    async #connectToPrimary(): Promise<Client> {
      const known = primary.find();
      // A connection that is lost may have been lost with its host.
      this.on("error", () => primary.forget(known));
      clientAt(this, await known);
      try {
        await super.connect();
        if (await isStandby(this)) throw new NoPrimary(`${this.host}:${this.port} has become a standby`);
        return this;
      } catch (error) {
        primary.forget(known);
        this.end().catch(() => {});
        throw error;
      }
    }
  };
}
