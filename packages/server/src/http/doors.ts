import { once } from "node:events";
import { createServer, type AddressInfo, type ListenOptions, type Server } from "node:net";
import type { FastifyInstance } from "fastify";

/**
 * A listener takes in one connection in each turn of the event loop, which takes up to twenty milliseconds in a busy
 * service: fifty a second, and whoever comes without a kept connection waits for seconds.
 */
const DOORS = 16;

export type Place = Required<Pick<ListenOptions, "host" | "port" | "backlog">>;

/** Listens with several doors where the system can hand out the connections of a port, which Linux can. */
export async function listenAt(server: FastifyInstance, place: Place): Promise<string> {
  if (!(await canShare(place))) return server.listen(place);
  const doors: Server[] = [];
  server.addHook("preClose", async () => closeDoors(doors));
  // Whoever may share a port finds nobody in the way, so that is found out first.
  closeDoors([await openDoor(createServer(), place)]);
  const address = await server.listen({ ...place, ...shared });
  doors.push(...(await openDoors(server.server, place)));
  return address;
}

/** More doors for a server that listens with `reusePort`. */
export function openDoors(server: Server, { host, backlog }: Omit<Place, "port">): Promise<Server[]> {
  const { port } = server.address() as AddressInfo;
  return Promise.all(
    Array.from({ length: DOORS - 1 }, () => {
      const door = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
        server.emit("connection", socket),
      );
      return openDoor(door, { host, port, backlog, ...shared });
    }),
  );
}

/** Nobody new comes in; whoever is in belongs to the server. */
export function closeDoors(doors: readonly Server[]): void {
  for (const door of doors) door.close();
}

const shared = { reusePort: true };

async function canShare({ host }: Place): Promise<boolean> {
  try {
    closeDoors([await openDoor(createServer(), { host, port: 0, ...shared })]);
    return true;
  } catch {
    return false;
  }
}

async function openDoor(door: Server, options: ListenOptions): Promise<Server> {
  door.listen(options);
  await once(door, "listening");
  return door;
}
