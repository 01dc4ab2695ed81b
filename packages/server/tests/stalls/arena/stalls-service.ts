import { once } from "node:events";
import type { ClientConfig } from "pg";
import { urlOfDatabase } from "../../fuzz/fuzzed-service.ts";
import { freePort, runMillrace } from "../../support/child-millrace.ts";
import { source } from "../../support/program.ts";
import type { Probes } from "./probes.ts";
import { SECRET_KEY } from "./stalls-workspace.ts";

export const SERVICE = "service";

export interface StallsService {
  readonly address: string;
  readonly databaseUrl: string;
  /** What it was started with. */
  readonly program: string;
  /** The processes it consists of, as long as none of them ends. */
  readonly pids: readonly number[];
  output(): string;
  /** Ends it whatever state it is in. */
  kill(): Promise<void>;
}

/** The whole service as people run it, with a probe in every process of it. */
export async function startStallsService(
  probes: Probes,
  connection: ClientConfig,
  program = source,
): Promise<StallsService> {
  const databaseUrl = urlOfDatabase(connection);
  const millrace = runMillrace(
    ["start"],
    {
      ...probes.environmentOf(SERVICE),
      DATABASE_URL: databaseUrl,
      MILLRACE_SECRET_KEY: SECRET_KEY.toString("base64"),
      MILLRACE_EGRESS_ALLOW: "127.0.0.0/8",
      MILLRACE_REQUESTS_PER_MINUTE: "0",
      MILLRACE_WEBHOOK_REQUESTS_PER_10S: "0",
      MILLRACE_WEBHOOK_REQUESTS_PER_IP_10S: "0",
      MILLRACE_LOG_FORMAT: "json",
      PORT: String(await freePort()),
    },
    program,
  );
  await millrace.ready();
  const { process: child } = millrace;
  const pids = probes.pidsOf(SERVICE);
  return {
    address: millrace.url,
    databaseUrl,
    program,
    pids,
    output: millrace.output,
    kill: async () => {
      // A supervisor first: it would replace whatever ends before it.
      const exited = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
      child.kill("SIGKILL");
      await exited;
      for (const pid of probes.pidsOf(SERVICE)) endProcess(pid);
      while (probes.pidsOf(SERVICE).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    },
  };
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
