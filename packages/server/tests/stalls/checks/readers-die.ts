import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { requestBytes } from "../../fuzz/raw-client.ts";
import { chain, node } from "../../support/runs-flows.ts";
import { addFlow, addOrganization } from "../../support/workspace.ts";
import { addOwnerKey } from "../arena/owner-key.ts";
import type { Arena, Round } from "../arena/arena.ts";

const READERS = 2_000;
const AT_ONCE = 50;
/** What the service does about it is measured too. */
const CLOSING_MS = 1_000;

/** A process that opens many streams, tells when all have begun, and ends without closing any. */
const PROGRAM = `
import { connect } from "node:net";
const { hostname, port, head, readers, atOnce } = JSON.parse(process.argv[1]);
let begun = 0;
const open = () => new Promise((resolve) => {
  const socket = connect(port, hostname, () => socket.write(head));
  socket.on("error", () => {});
  socket.once("data", resolve);
});
while (begun < readers) {
  await Promise.all(Array.from({ length: atOnce }, open));
  begun += atOnce;
}
console.log("all");
setInterval(() => {}, 1_000);
`;

/** Thousands of connections that end in the same moment are as many calls in one turn of the event loop. */
export async function readersDieAtOnce(_arena: Arena, { service, db }: Round): Promise<string[]> {
  const organizationId = "org_readers";
  await addOrganization(db, organizationId);
  const graph = chain(node("wait", "wait", { duration: "1h" }));
  await addFlow(db, organizationId, "flow_read", { graph });
  const { key } = await addOwnerKey(db, organizationId);
  const begun = await fetch(`${service.address}/api/runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ payload: { flowId: "flow_read" } }),
  });
  const { data } = (await begun.json()) as { data: { id: string } };
  const headers = [["authorization", `Bearer ${key}`]] as const;
  const head = requestBytes({ method: "GET", target: `/api/runs/${data.id}/stream`, headers }).toString();
  const { hostname, port } = new URL(service.address);
  const options = JSON.stringify({ hostname, port: Number(port), head, readers: READERS, atOnce: AT_ONCE });
  const child = spawn(process.execPath, ["--input-type=module", "--eval", PROGRAM, options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await once(createInterface({ input: child.stdout }), "line");
  } finally {
    child.kill("SIGKILL");
  }
  await sleep(CLOSING_MS);
  return [];
}
