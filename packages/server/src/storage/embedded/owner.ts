import { once } from "node:events";
import { rm } from "node:fs/promises";
import { connect, createServer } from "node:net";

/** Who holds a data directory; told to anyone who asks through its socket. */
export interface Owner {
  readonly pid: number;
  readonly command: string;
  readonly address?: string;
}

export interface Ownership {
  /** Once known, the address is part of the answer. */
  announce(address: string): void;
  release(): Promise<void>;
}

/**
 * A listening socket as lock: the operating system closes it with its process, however that ends,
 * so a kill -9 or a power cut never leaves a lock that somebody has to remove.
 */
export async function takeOwnership(
  socketPath: string,
  command: string,
): Promise<Ownership | { owner: Owner }> {
  const owner = await askOwner(socketPath);
  if (owner) return { owner };
  await rm(socketPath, { force: true });
  let self: Owner = { pid: process.pid, command };
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.end(JSON.stringify(self));
  });
  server.listen(socketPath);
  await once(server, "listening");
  server.unref();
  return {
    announce: (address) => {
      self = { ...self, address };
    },
    release: async () => {
      server.close();
      await rm(socketPath, { force: true });
    },
  };
}

export async function askOwner(socketPath: string): Promise<Owner | undefined> {
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
