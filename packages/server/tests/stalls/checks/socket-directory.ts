import { chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { embeddedPaths } from "../../../src/storage/embedded/paths.ts";
import { startEmbeddedServer } from "../../../src/storage/embedded/server.ts";

const SOMEBODY_ELSE = 4_242;

/** Only root can make a directory that belongs to another user; anybody else has nothing to check here. */
export async function socketsOfOthersAreRefused(): Promise<string[]> {
  if (process.getuid?.() !== 0) return [];
  const directory = await mkdtemp(join(tmpdir(), `millrace-${"long-".repeat(20)}`));
  const paths = embeddedPaths(directory);
  try {
    await mkdir(paths.sockets, { mode: 0o777 });
    await chown(paths.sockets, SOMEBODY_ELSE, SOMEBODY_ELSE);
    const server = await startEmbeddedServer(paths, { fsync: "off" }).catch(() => undefined);
    await server?.stop();
    return server ? ["PostgreSQL's socket was made in a directory of another user"] : [];
  } finally {
    await rm(paths.sockets, { recursive: true, force: true });
    await rm(directory, { recursive: true, force: true });
  }
}
