import { createHash, randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { ClientConfig } from "pg";

/** Where the built-in PostgreSQL of a data directory keeps its things. */
export interface EmbeddedPaths {
  readonly directory: string;
  readonly cluster: string;
  readonly initialised: string;
  readonly password: string;
  readonly sockets: string;
  readonly owner: string;
}

// The kernel allows about 107 bytes for the path of a socket.
const MAX_SOCKET_DIRECTORY_LENGTH = 80;

export function embeddedPaths(dataDirectory: string): EmbeddedPaths {
  const directory = resolve(dataDirectory);
  const beside = join(directory, "run");
  const hash = createHash("sha256").update(directory).digest("hex").slice(0, 16);
  const sockets = beside.length <= MAX_SOCKET_DIRECTORY_LENGTH ? beside : join(tmpdir(), `millrace-${hash}`);
  return {
    directory,
    cluster: join(directory, "postgres"),
    initialised: join(directory, "postgres-initialised"),
    password: join(directory, "postgres-password"),
    sockets,
    owner: join(sockets, "owner.sock"),
  };
}

export async function embeddedConnection(paths: EmbeddedPaths): Promise<ClientConfig> {
  return { host: paths.sockets, user: "millrace", database: "millrace", password: await passwordFor(paths) };
}

/** Made on the first start, readable by the owner of the data directory alone. */
export async function passwordFor(paths: EmbeddedPaths): Promise<string> {
  const known = await readFile(paths.password, "utf8").catch(() => undefined);
  if (known !== undefined) return known.trim();
  const password = randomBytes(24).toString("base64url");
  await writeFile(paths.password, password, { mode: 0o600, flag: "wx" });
  return password;
}
