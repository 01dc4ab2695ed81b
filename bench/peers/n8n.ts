import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runNode, startNode } from "../support/children.ts";
import type { BenchDatabase } from "../support/cluster.ts";
import { freePort } from "../support/free-port.ts";
import { WORKFLOW, WORKFLOW_ID, WORKFLOW_PATH } from "./n8n-workflow.ts";
import type { Peer } from "./peer.ts";
import { PACKAGES } from "./versions.ts";

const READY_MS = 120_000;
/** As many as Millrace has; the default is 2. */
const POOL_SIZE = "20";

export const n8n: Peer = {
  name: "n8n",
  summary: "n8n: webhook → set → set, result awaited",
  packages: PACKAGES.n8n,
  bar: 20,
  async prepare({ cluster, packages, data }) {
    const database = await cluster.createDatabase("n8n");
    const program = join(packages, "node_modules", "n8n", "bin", "n8n");
    const port = await freePort();
    const env = settings(database, data, { port, broker: await freePort() });
    const file = join(data, "workflow.json");
    await writeFile(file, JSON.stringify([WORKFLOW]));
    await runNode(program, ["import:workflow", `--input=${file}`], { env });
    await runNode(program, ["publish:workflow", `--id=${WORKFLOW_ID}`], { env });
    return {
      start: async () => {
        const child = startNode(program, ["start"], { env });
        let output = "";
        child.process.stdout!.on("data", (chunk: Buffer) => {
          output = (output + chunk.toString()).slice(-2_000);
        });
        await untilAnswered(
          port,
          () => child.process.exitCode !== null,
          () => output + child.complaints(),
        );
        return {
          port,
          request: { method: "POST", path: WORKFLOW_PATH, body: { name: "Ada" } },
          countCompleted: async () => {
            const { rows } = await database.pool.query(
              `SELECT count(*) FROM execution_entity WHERE status = 'success'`,
            );
            return Number(rows[0].count);
          },
          analyze: async () => void (await database.pool.query("ANALYZE")),
          stop: () => child.stop(),
        };
      },
    };
  },
};

/** A production installation in its usual mode, with executions kept, that calls nobody. */
function settings(
  { name, url }: BenchDatabase,
  data: string,
  ports: { port: number; broker: number },
): Record<string, string> {
  const { username, password, searchParams } = new URL(url);
  return {
    NODE_ENV: "production",
    HOME: data,
    N8N_USER_FOLDER: data,
    N8N_ENCRYPTION_KEY: "a key for a benchmark",
    N8N_LISTEN_ADDRESS: "127.0.0.1",
    N8N_PORT: String(ports.port),
    N8N_RUNNERS_BROKER_LISTEN_ADDRESS: "127.0.0.1",
    N8N_RUNNERS_BROKER_PORT: String(ports.broker),
    N8N_LOG_LEVEL: "error",
    DB_TYPE: "postgresdb",
    DB_POSTGRESDB_HOST: searchParams.get("host")!,
    DB_POSTGRESDB_DATABASE: name,
    DB_POSTGRESDB_USER: username,
    DB_POSTGRESDB_PASSWORD: decodeURIComponent(password),
    DB_POSTGRESDB_POOL_SIZE: POOL_SIZE,
    // Expressions in the process itself. The default, an isolate for every execution, is several times slower.
    N8N_EXPRESSION_ENGINE: "legacy",
    EXECUTIONS_DATA_SAVE_ON_SUCCESS: "all",
    // Pruning is work of its own, and would take away what is counted.
    EXECUTIONS_DATA_PRUNE: "false",
    N8N_DIAGNOSTICS_ENABLED: "false",
    N8N_DIAGNOSTICS_CONFIG_FRONTEND: "",
    N8N_DIAGNOSTICS_CONFIG_BACKEND: "",
    N8N_VERSION_NOTIFICATIONS_ENABLED: "false",
    N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: "false",
    N8N_TEMPLATES_ENABLED: "false",
    N8N_HIRING_BANNER_ENABLED: "false",
    N8N_DYNAMIC_BANNERS_ENABLED: "false",
    N8N_PERSONALIZATION_ENABLED: "false",
    N8N_COMMUNITY_PACKAGES_ENABLED: "false",
    // Each asks its maker's servers for a list when it starts.
    N8N_DISABLED_MODULES: "community-packages,mcp-registry",
    N8N_LICENSE_AUTO_RENEW_ENABLED: "false",
    N8N_LICENSE_DETACH_FLOATING_ON_SHUTDOWN: "false",
    EXTERNAL_FRONTEND_HOOKS_URLS: "",
  };
}

async function untilAnswered(port: number, ended: () => boolean, why: () => string): Promise<void> {
  const endAtMs = performance.now() + READY_MS;
  const tried = async (): Promise<boolean> => {
    const answer = await fetch(`http://127.0.0.1:${port}${WORKFLOW_PATH}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Ada" }),
    });
    // While it starts it answers everything, and says that it is starting.
    return answer.ok && (await answer.text()).includes("Hello Ada");
  };
  while (!(await tried().catch(() => false))) {
    if (ended() || performance.now() > endAtMs) throw new Error(`n8n did not start: ${why()}`);
    await sleep(250);
  }
}
