import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { chown, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** The user PostgreSQL runs as; undefined where Millrace itself is not root and nothing has to change. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
  /** Some directory on the way is closed to that user, so it needs root's right to pass through. */
  readonly needsPassage: boolean;
}

const NOBODY = 65_534;

/** PostgreSQL refuses to run as root; under root it gets the owner of the data directory, or nobody. */
export async function chooseServerUser(directory: string, paths: string[]): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = await stat(directory);
  const user = uid === 0 ? { uid: NOBODY, gid: NOBODY } : { uid, gid };
  const open = await Promise.all(paths.map((path) => canEnter(path, user.uid, user.gid)));
  return { ...user, needsPassage: open.includes(false) };
}

/** The user that PostgreSQL runs as, whoever Millrace is. */
export async function serverUid(directory: string): Promise<number | undefined> {
  const ownUid = process.getuid?.();
  if (ownUid !== 0) return ownUid;
  const { uid } = await stat(directory);
  return uid === 0 ? NOBODY : uid;
}

async function canEnter(path: string, uid: number, gid: number): Promise<boolean> {
  for (let at = resolve(path); ; at = dirname(at)) {
    const info = await stat(at);
    const bit = info.uid === uid ? 0o100 : info.gid === gid ? 0o010 : 0o001;
    if ((info.mode & bit) === 0) return false;
    if (dirname(at) === at) return true;
  }
}

export async function giveTo(user: ServerUser | undefined, path: string): Promise<void> {
  if (user) await chown(path, user.uid, user.gid);
}

/** Like spawn, as the given user. A clone below /root or a private temporary folder works too. */
export function spawnAs(
  user: ServerUser | undefined,
  file: string,
  args: string[],
  options: SpawnOptions,
): ChildProcess {
  if (!user) return spawn(file, args, options);
  if (!user.needsPassage) return spawn(file, args, { ...options, uid: user.uid, gid: user.gid });
  const identity = [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"];
  // The securebit lets the right hold for access(2) too, by which PostgreSQL looks at its own binaries.
  const passage = [
    "--securebits=+no_setuid_fixup",
    "--inh-caps=-all,+dac_override",
    "--ambient-caps=+dac_override",
  ];
  return spawn("setpriv", [...identity, ...passage, file, ...args], options);
}
