import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Arena, Round } from "../arena/arena.ts";
import { addOwnerKey } from "../arena/owner-key.ts";
import { addOrganization } from "../../support/workspace.ts";

/** Opens connections, sends the same on each at the same moment, and reads until `bytes` have come on each or it is over. */
const PROGRAM = `
import { connect } from "node:net";
const { hostname, port, text, connections, bytes, maxMs, isSilent } = JSON.parse(process.argv[1]);
const sockets = [];
let open = 0;
while (open < connections) {
  const some = Math.min(200, connections - open);
  await Promise.all(Array.from({ length: some }, () => new Promise((resolve) => {
    const socket = connect(port, hostname, resolve);
    socket.on("error", resolve);
    sockets.push(socket);
  })));
  open += some;
}
let statuses = {};
let left = connections;
await new Promise((resolve) => {
  setTimeout(resolve, maxMs);
  for (const socket of sockets) {
    let read = 0;
    let isDone = false;
    const done = () => {
      if (isDone) return;
      isDone = true;
      if (--left === 0) resolve();
    };
    if (socket.destroyed) { statuses.gone = (statuses.gone ?? 0) + 1; done(); continue; }
    if (isSilent) socket.pause();
    else socket.on("data", (chunk) => {
      if (read === 0) {
        const status = chunk.toString("latin1").slice(9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
      read += chunk.length;
      if (read >= bytes) done();
    });
    socket.on("close", done);
    socket.write(text);
  }
});
console.log(JSON.stringify({ statuses, left }));
setInterval(() => {}, 1_000);
`;

interface Flood {
  readonly text: string;
  readonly connections: number;
  /** Of the answers to one connection, after which it is done. */
  readonly bytes: number;
  /** Nothing of the answers is read. */
  readonly isSilent?: boolean;
  readonly maxMs?: number;
}

export interface Flooded {
  /** First answers, by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Connections that were not done in time. */
  readonly left: number;
}

const MAX_MS = 30_000;
/** What the service does about it is measured too. */
const CLOSING_MS = 1_000;

/** Everything from one address; the connections stay open until `work` is over. */
export async function flood<Result>(
  { service }: Round,
  plan: Flood,
  work: (flooded: Flooded) => Promise<Result>,
): Promise<Result> {
  const { hostname, port } = new URL(service.address);
  const options = JSON.stringify({ hostname, port: Number(port), maxMs: MAX_MS, ...plan });
  const child = spawn(process.execPath, ["--input-type=module", "--eval", PROGRAM, options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    return await work(JSON.parse(line) as Flooded);
  } finally {
    child.kill("SIGKILL");
  }
}

export const request = (path: string, key?: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${key === undefined ? "" : `x-api-key: ${key}\r\n`}\r\n`;

/** As many requests as fit into one packet of a connection are heard of in one turn. */
export async function requestsInOnePacket(_arena: Arena, round: Round): Promise<string[]> {
  const few = { text: request("/healthz").repeat(100), connections: 80, bytes: 100 * 200 };
  const faults = await flood(round, few, async ({ left, statuses }) =>
    left === 0 && statuses["200"] === few.connections
      ? []
      : [`${left} connections got no answers: ${JSON.stringify(statuses)}`],
  );
  const many = { text: request("/api/flows").repeat(1_800), connections: 200, bytes: 1 };
  return flood(round, many, async ({ left }) =>
    left === 0 ? faults : [...faults, `${left} connections were neither answered nor ended`],
  );
}

/** Each request that waits for the one before it ends with its connection, by an error of its own. */
export async function packetsThatNobodyWaitsFor(_arena: Arena, round: Round): Promise<string[]> {
  const plan = { text: request("/readyz").repeat(1_800), connections: 200, bytes: 1 };
  await flood(round, plan, async () => undefined);
  await sleep(CLOSING_MS);
  return [];
}

/** Figures and documents for whoever asks, and what is said of an address that does not exist. */
export function answersForThousands(path: string, status = "200") {
  return async (_arena: Arena, round: Round): Promise<string[]> =>
    flood(round, { text: request(path), connections: 2_000, bytes: 1 }, async ({ left, statuses }) =>
      left === 0 && statuses[status]! + (statuses["503"] ?? 0) === 2_000
        ? []
        : [`${left} got no answer: ${JSON.stringify(statuses)}`],
    );
}

/** All of them wait until it is known whose key it is. */
export async function thousandsWithOneKey(_arena: Arena, round: Round): Promise<string[]> {
  const organizationId = "org_flood";
  await addOrganization(round.db, organizationId);
  const { key } = await addOwnerKey(round.db, organizationId);
  const plan = { text: request("/api/flows", key), connections: 2_000, bytes: 1 };
  return flood(round, plan, async ({ left, statuses }) =>
    left === 0 && statuses["200"]! > 0 ? [] : [`${left} got no answer: ${JSON.stringify(statuses)}`],
  );
}

/** Nobody has to prove anything for a connection. */
export async function thousandsOfConnections(_arena: Arena, round: Round): Promise<string[]> {
  const plan = { text: request("/healthz"), connections: 12_000, bytes: 1 };
  return flood(round, plan, async ({ statuses }) => {
    const { status } = await fetch(`${round.service.address}/readyz`).catch(() => ({ status: 0 }));
    return status === 200 || status === 503 ? [] : [`readyz ${status}; ${JSON.stringify(statuses)}`];
  });
}

/** Each header is looked at when the request is heard of, and one that has too many is an error of its own. */
export async function manyHeadersAtOnce(_arena: Arena, round: Round): Promise<string[]> {
  const faults: string[] = [];
  for (const [count, status] of [
    [700, "200"],
    [1_000, "431"],
  ] as const) {
    const headers = Array.from({ length: count }, (_, at) => `${at.toString(36)}: a\r\n`).join("");
    const text = `GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers}\r\n`;
    const plan = { text, connections: 1_000, bytes: 1 };
    const work = async ({ statuses }: Flooded) =>
      statuses[status] === plan.connections ? [] : [`${count} headers: ${JSON.stringify(statuses)}`];
    faults.push(...(await flood(round, plan, work)));
  }
  return faults;
}
