import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { CliDependencies } from "./cli.ts";

type Env = CliDependencies["env"];

/** A service that is talked to often, with the key for it. */
export interface Profile {
  readonly url: string;
  readonly key?: string;
}

export interface Profiles {
  /** The one that counts where none is named. */
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** In the user's own configuration folder. */
export function profileFile(env: Env): string {
  const folder = env["XDG_CONFIG_HOME"] || env["APPDATA"] || join(env["HOME"] || homedir(), ".config");
  return join(folder, "millrace", "profiles.json");
}

export async function readProfiles(env: Env): Promise<Profiles> {
  const file = profileFile(env);
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (text === undefined) return { profiles: {} };
  try {
    const { current, profiles } = JSON.parse(text) as Profiles;
    return { ...(current !== undefined && { current }), profiles: profiles ?? {} };
  } catch {
    throw new Error(`${file} is not JSON; repair it, or delete it and add the profiles again.`);
  }
}

/** Keys are in it: nobody else may read it, and it is never half written. */
export async function writeProfiles(env: Env, profiles: Profiles): Promise<void> {
  const file = profileFile(env);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, file);
}
