import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fan, node } from "../../support/runs-flows.ts";
import { addFlow } from "../../support/workspace.ts";
import type { Arena, Round } from "../arena/arena.ts";
import { ORGANIZATION } from "../arena/stalls-workspace.ts";
import { runsEnd } from "../perform/runs-end.ts";

const RUNS = 8;
const LOOPS = 5;
const LANES = 100;
const PORTS = RUNS * LOOPS * LANES;
const UNDER_WAY_MS = 2_000;

/** Servers that take in everybody and never answer. */
const PROGRAM = `
import { createServer } from "node:net";
const ports = [];
for (let at = 0; at < Number(process.argv[1]); at += 1) {
  const server = createServer((socket) => socket.on("error", () => {}).resume());
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  ports.push(server.address().port);
}
console.log(JSON.stringify(ports));
`;

/** There is a limit for each server that is called, and no limit for how many there are. */
export async function thousandsOfServersHang(_arena: Arena, round: Round): Promise<string[]> {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", PROGRAM, String(PORTS)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    return await callAll(await portsOf(child), round);
  } finally {
    child.kill("SIGKILL");
  }
}

async function portsOf({ stdout }: ChildProcess): Promise<readonly number[]> {
  const [line] = (await once(createInterface({ input: stdout! }), "line")) as [string];
  return JSON.parse(line) as number[];
}

async function callAll(ports: readonly number[], round: Round): Promise<string[]> {
  const flowId = `flow_${randomUUID().slice(0, 8)}`;
  const loops = Array.from({ length: LOOPS }, (_, at) =>
    node(`loop${at}`, "for-each", { items: `{{ data.ports${at} }}`, concurrency: LANES }),
  );
  const calls = loops.map(({ id }) => ({
    ...node(`call_${id}`, "http-request", { url: "http://127.0.0.1:{{ item }}/" }),
    parentId: id,
  }));
  const graph = fan(...loops);
  await addFlow(round.db, ORGANIZATION, flowId, { graph: { ...graph, nodes: [...graph.nodes, ...calls] } });
  const left = [...ports];
  for (let run = 0; run < RUNS; run += 1) {
    const data = Object.fromEntries(loops.map((_, at) => [`ports${at}`, left.splice(0, LANES)]));
    const answer = await fetch(`${round.service.address}/api/runs`, {
      method: "POST",
      headers: { authorization: `Bearer ${round.workspace.key}`, "content-type": "application/json" },
      body: JSON.stringify({ payload: { flowId, data } }),
    });
    if (answer.status !== 201) return [`a trigger was answered ${answer.status}: ${await answer.text()}`];
  }
  await sleep(UNDER_WAY_MS);
  return [...(await runsEnd(round, flowId)).faults];
}
