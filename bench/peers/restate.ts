import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Child, startProgram } from "../support/children.ts";
import { freePort } from "../support/free-port.ts";
import { startApp } from "./app.ts";
import type { Peer } from "./peer.ts";
import { PACKAGES } from "./versions.ts";

const READY_MS = 60_000;

export const restate: Peer = {
  name: "restate",
  summary: "Restate: a handler of 3 ctx.run steps, result awaited",
  packages: PACKAGES.restate,
  bar: 8,
  async prepare({ packages, data }) {
    const [ingress, admin, fabric, service] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ];
    const env = settings(data, { ingress, admin, fabric });
    return {
      start: async () => {
        const app = await startApp(packages, "restate.mjs", { PORT: String(service) });
        const server = startProgram(serverBinary(packages), ["--no-logo"], { env });
        server.process.stdout!.resume();
        await register(admin, service, server);
        return {
          port: ingress,
          request: { method: "POST", path: "/greeter/greet", body: { name: "Ada" } },
          countCompleted: () => countCompleted(admin),
          stop: async () => {
            await server.stop();
            await app.stop();
          },
        };
      },
    };
  },
};

/** Its own defaults for everything that has to do with speed and durability: every append to the log is flushed to disk. */
function settings(
  data: string,
  ports: { ingress: number; admin: number; fabric: number },
): Record<string, string> {
  const address = (port: number): string => `127.0.0.1:${port}`;
  return {
    RESTATE_BASE_DIR: data,
    RESTATE_DISABLE_TELEMETRY: "true",
    RESTATE_LOG_FILTER: "error",
    RESTATE_LISTEN_MODE: "tcp",
    RESTATE_BIND_ADDRESS: address(ports.fabric),
    RESTATE_INGRESS__BIND_ADDRESS: address(ports.ingress),
    RESTATE_ADMIN__BIND_ADDRESS: address(ports.admin),
    RESTATE_ADVERTISED_ADDRESS: `http://${address(ports.fabric)}`,
    DO_NOT_TRACK: "1",
  };
}

function serverBinary(packages: string): string {
  const from = createRequire(join(packages, "package.json"));
  return from.resolve(`@restatedev/restate-server-${platform()}-${arch()}/bin/restate-server`);
}

async function register(admin: number, service: number, server: Child): Promise<void> {
  const endAtMs = performance.now() + READY_MS;
  const tried = async (): Promise<boolean> => {
    const answer = await ask(admin, "/deployments", { uri: `http://127.0.0.1:${service}`, force: true });
    // It answers before its partitions have found their leaders; a query needs all of them.
    return answer.ok && (await countCompleted(admin)) >= 0;
  };
  while (!(await tried().catch(() => false))) {
    if (server.process.exitCode !== null || performance.now() > endAtMs) {
      throw new Error(`Restate did not start: ${server.complaints()}`);
    }
    await sleep(200);
  }
}

async function countCompleted(admin: number): Promise<number> {
  const query = `SELECT count(*) AS count FROM sys_invocation_status WHERE status = 'completed'`;
  const answer = await ask(admin, "/query", { query });
  if (!answer.ok) throw new Error(`Restate's query failed: ${await answer.text()}`);
  const { rows } = (await answer.json()) as { rows: { count: number }[] };
  return rows[0]!.count;
}

function ask(port: number, path: string, body: object): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
  });
}
