import { chmod, lstat, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { EmbeddedPaths } from "./paths.ts";
import { serverUid } from "./unprivileged.ts";

const OTHERS = 0o077;

/**
 * Makes the directory of the sockets, or refuses one that somebody else may have made: whoever owns it can put a server of
 * his own there, and would be sent the password. Under a long data directory it lies in a temporary folder, open to all.
 */
export async function openSocketDirectory({ sockets, directory }: EmbeddedPaths): Promise<void> {
  await mkdir(sockets, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  const found = await lstat(sockets);
  if (!found.isDirectory()) throw refusal(sockets, "is not a directory");
  const owners = [process.getuid?.(), await serverUid(directory)];
  if (process.getuid && !owners.includes(found.uid))
    throw refusal(sockets, `belongs to another user (${found.uid})`);
  if ((found.mode & OTHERS) === 0) return;
  // Inside the data directory nobody else could have used it; volumes are mounted with rights of their own.
  if (dirname(sockets) === directory) await chmod(sockets, 0o700);
  else throw refusal(sockets, "can be entered by others");
}

function refusal(path: string, what: string): Error {
  return new Error(
    `The directory ${path}, where the built-in PostgreSQL is reached, ${what}. Remove it, or set MILLRACE_DATA_DIR to a shorter path.`,
  );
}
