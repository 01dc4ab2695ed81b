import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** What became of a connection: its answer, or an end without one. */
interface Ending {
  readonly text: string;
  readonly ended: boolean;
}

export interface Target {
  readonly address: string;
  readonly key: string;
  /** A run that changes no more and has not ended. */
  readonly pausedRunId: string;
}

export interface Abuse {
  readonly name: string;
  /** Resolves with what was wrong with the way the service took it; empty where nothing was. */
  run(target: Target): Promise<string[]>;
}

/** The service gives up on a late head after 10 s and on a late body after 15 s; a busy machine gets more time. */
export const MAX_MS = 60_000;
const DRIP_MS = 400;

export function open({ address }: Target): Socket {
  const { hostname, port } = new URL(address);
  return connect(Number(port), hostname).on("error", () => {});
}

/** Reads until `enough` or the end of the connection, but not for ever. */
export async function read(socket: Socket, enough: (text: string) => boolean = () => false): Promise<Ending> {
  let text = "";
  const done = Promise.withResolvers<boolean>();
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    if (enough(text)) done.resolve(true);
  });
  socket.on("close", () => done.resolve(true));
  if (socket.destroyed) done.resolve(true);
  const ended = await Promise.race([done.promise, sleep(MAX_MS, false, { ref: false })]);
  socket.destroy();
  return { text, ended };
}

const isAnswered = (text: string) => /^HTTP\/1\.1 [1-5]\d\d/.test(text);
export const faultsOf = ({ text, ended }: Ending): string[] => {
  if (!ended && !isAnswered(text)) return ["neither answered nor closed"];
  return text !== "" && !isAnswered(text) ? [`answered with ${text.slice(0, 100)}`] : [];
};

/** Sends bytes as they are, once. */
export function sentOnce(name: string, bytes: (target: Target) => string, expected: RegExp): Abuse {
  return {
    name,
    async run(target) {
      const socket = open(target);
      socket.write(Buffer.from(bytes(target), "latin1"));
      const ending = await read(socket, isAnswered);
      return expected.test(ending.text) ? [] : [`answered with "${ending.text.slice(0, 200)}"`];
    },
  };
}

/** Many connections that do the same, at the same time. */
export function many(
  name: string,
  count: number,
  one: (target: Target, socket: Socket, at: number) => Promise<string[]>,
): Abuse {
  return {
    name,
    async run(target) {
      const faults = await Promise.all(
        Array.from({ length: count }, (_, at) => one(target, open(target), at)),
      );
      return [...new Set(faults.flat())];
    },
  };
}

/** Byte by byte, never enough. */
export async function drip(socket: Socket, first: string, byte: string): Promise<string[]> {
  socket.write(first);
  const timer = setInterval(() => socket.write(byte), DRIP_MS);
  const ending = await read(socket);
  clearInterval(timer);
  return ending.ended ? faultsOf(ending) : ["still waited for"];
}
