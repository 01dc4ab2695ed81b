import { once } from "node:events";
import { rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Who holds a data directory; told to anyone who asks through its socket. */
export interface Owner extends OwnerNews {
  readonly pid: number;
  readonly command: string;
}

export interface OwnerNews {
  readonly address?: string;
  /** What it listens on: a host beyond this machine, perhaps. */
  readonly host?: string;
  /** It is about to give the directory up: others wait for that instead of being refused. */
  readonly leaving?: boolean;
}

export interface Ownership {
  /** Part of the answer from now on. */
  announce(news: OwnerNews): void;
  release(): Promise<void>;
}

/**
 * A listening socket as lock: the operating system closes it with its process, however that ends,
 * so a kill -9 or a power cut never leaves a lock that somebody has to remove.
 */
export async function takeOwnership(
  socketPath: string,
  { pid, command }: { pid: number; command: string },
): Promise<Ownership | { owner: Owner }> {
  const owner = await askOwner(socketPath);
  if (owner) return { owner };
  await rm(socketPath, { force: true });
  let self: Owner = { pid, command };
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.end(JSON.stringify(self));
  });
  server.listen(socketPath);
  await once(server, "listening");
  server.unref();
  return {
    announce: (news) => {
      self = { ...self, ...news };
    },
    release: async () => {
      server.close();
      await rm(socketPath, { force: true });
    },
  };
}

const MAX_LEAVE_MS = 40_000;

/** Who holds the directory and means to keep it: one that is leaving is waited for. */
export async function askOwner(socketPath: string): Promise<Owner | undefined> {
  for (let waitedMs = 0; ; waitedMs += 100) {
    const owner = await askOnce(socketPath);
    if (!owner?.leaving || waitedMs >= MAX_LEAVE_MS) return owner;
    await sleep(100);
  }
}

async function askOnce(socketPath: string): Promise<Owner | undefined> {
  const socket = connect(socketPath);
  socket.setTimeout(2_000, () =>
    socket.destroy(new Error("The owner of the data directory does not answer.")),
  );
  let text = "";
  try {
    for await (const chunk of socket) text += chunk;
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code === "ENOENT" || code === "ECONNREFUSED") return undefined;
    throw error;
  }
  return JSON.parse(text) as Owner;
}
