import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { askOwner, type Owner, type OwnerNews, type Ownership, takeOwnership } from "./embedded/owner.ts";
import { embeddedConnection, embeddedPaths } from "./embedded/paths.ts";
import { openSocketDirectory } from "./embedded/socket-directory.ts";
import { startEmbeddedServer } from "./embedded/server.ts";
import { createPool, type Pool } from "./pool.ts";
import { type Connection, connectionOf } from "./primary-client.ts";
import { SecretBox } from "./secret-box.ts";

export interface DatabaseOptions {
  readonly databaseUrl: string | undefined;
  readonly dataDirectory: string;
  readonly secretKey: Buffer | undefined;
  readonly previousSecretKeys: readonly Buffer[];
  readonly poolSize: number;
}

export interface Database {
  readonly pool: Pool;
  readonly connection: Connection;
  readonly secrets: SecretBox;
  readonly embedded: boolean;
  /** Tells others who ask at the data directory where this service answers, and when it is about to go. */
  announce(news: OwnerNews): void;
  close(): Promise<void>;
}

/** Somebody else runs the built-in PostgreSQL of this data directory. */
class DataDirectoryInUse extends Error {
  readonly owner: Owner;
  constructor(directory: string, owner: Owner) {
    const where = owner.address ? ` at ${owner.address}` : "";
    super(
      `The data directory ${directory} is in use by "millrace ${owner.command}" (process ${owner.pid})${where}; stop it, or set MILLRACE_DATA_DIR to another directory.`,
    );
    this.owner = owner;
  }
}

/**
 * Opens the configured database, or the built-in one. `shared` lets a command work beside a running
 * service: it joins the PostgreSQL that is there, and starts one for its own time only where none is.
 */
export async function openDatabase(
  options: DatabaseOptions,
  use: {
    command: string;
    shared: boolean;
    answerTimeoutMs: number;
    onError?: (error: Error) => void;
    /** Whom to stop to get the data directory back, where that is not this process. */
    pid?: number;
  },
): Promise<Database> {
  const poolOptions = {
    size: options.poolSize,
    applicationName: `millrace ${use.command}`,
    answerTimeoutMs: use.answerTimeoutMs,
    onError: use.onError,
  };
  if (options.databaseUrl !== undefined) {
    const connection = connectionOf(options.databaseUrl);
    const pool = createPool({ connection, ...poolOptions });
    const secrets = new SecretBox(options.secretKey!, options.previousSecretKeys);
    return {
      pool,
      connection,
      secrets,
      embedded: false,
      announce: () => {},
      close: () => pool.end(),
    };
  }

  const paths = embeddedPaths(options.dataDirectory);
  await mkdir(paths.directory, { recursive: true, mode: 0o700 });
  await openSocketDirectory(paths);
  const held =
    use.shared && (await askOwner(paths.owner))
      ? undefined
      : await takeOwnership(paths.owner, { command: use.command, pid: use.pid ?? process.pid });
  if (held && "owner" in held) throw new DataDirectoryInUse(paths.directory, held.owner);
  const ownership: Ownership | undefined = held;
  try {
    const secretKey = options.secretKey ?? (await secretKeyFile(paths.directory));
    const server = ownership ? await startEmbeddedServer(paths) : undefined;
    const connection = await embeddedConnection(paths);
    const pool = createPool({ connection, ...poolOptions });
    return {
      pool,
      connection,
      secrets: new SecretBox(secretKey, options.previousSecretKeys),
      embedded: true,
      announce: (news) => ownership?.announce(news),
      close: async () => {
        await pool.end();
        await server?.stop();
        await ownership?.release();
      },
    };
  } catch (error) {
    await ownership?.release();
    throw error;
  }
}

/** Made on the first start; without it nothing encrypted in this data directory can be read again. */
async function secretKeyFile(directory: string): Promise<Buffer> {
  const file = join(directory, "secret-key");
  const known = await readFile(file, "utf8").catch(() => undefined);
  if (known !== undefined) return Buffer.from(known.trim(), "base64");
  const key = randomBytes(32);
  await writeFile(file, `${key.toString("base64")}\n`, { mode: 0o600, flag: "wx" });
  return key;
}
