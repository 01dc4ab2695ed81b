import { once } from "node:events";
import type { ClientConfig } from "pg";
import { freePort, runMillrace } from "../support/child-millrace.ts";
import { NODE_ARGS } from "../support/node-args.ts";
import { sendRaw } from "./raw-client.ts";

const SECRET_KEY = Buffer.alloc(32, 7);
/** Whatever is sent, the service needs no more; it ends where it does. */
const MAX_HEAP_MB = 256;

export interface FuzzedService {
  readonly address: string;
  readonly pid: number;
  readonly secretKey: Buffer;
  /** What an operator would have to look into; empty as long as all is well. */
  complaints(): string[];
  stop(): Promise<void>;
}

/** The whole service as people run it, in a process of its own, with every limit on requests off. */
export async function startFuzzedService(connection: ClientConfig): Promise<FuzzedService> {
  const millrace = runMillrace(["start"], {
    DATABASE_URL: urlOfDatabase(connection),
    MILLRACE_SECRET_KEY: SECRET_KEY.toString("base64"),
    MILLRACE_EGRESS_ALLOW: "127.0.0.0/8",
    MILLRACE_REQUESTS_PER_MINUTE: "0",
    MILLRACE_BAD_KEYS_PER_MINUTE: "0",
    MILLRACE_WEBHOOK_REQUESTS_PER_10S: "0",
    MILLRACE_WEBHOOK_REQUESTS_PER_IP_10S: "0",
    MILLRACE_LOG_FORMAT: "json",
    // Pages, and only where they were built.
    MILLRACE_CONSOLE: "off",
    // Whatever ends the service must be seen, and its memory is measured.
    MILLRACE_SUPERVISE: "off",
    // A heap that grows because nobody cleans it up looks like one that is filled; this one has to be cleaned up.
    NODE_OPTIONS: [...NODE_ARGS, `--max-old-space-size=${MAX_HEAP_MB}`].join(" "),
    PORT: String(await freePort()),
  });
  await millrace.ready();
  const { process: child } = millrace;
  return {
    address: millrace.url,
    pid: child.pid!,
    secretKey: SECRET_KEY,
    complaints: () => [
      ...(child.exitCode === null && child.signalCode === null
        ? []
        : [`the service ended with ${child.exitCode ?? child.signalCode}`]),
      ...millrace.output().replace(FIRST_STEPS, "").split("\n").filter(isComplaint),
    ],
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    },
  };
}

const ERROR_LEVEL = 50;
/** What is said about an empty database. */
const FIRST_STEPS = /^Millrace answers at [\s\S]*? millrace start --demo$/m;

/** Errors of the log, and whatever Node itself printed. */
function isComplaint(line: string): boolean {
  if (line.trim() === "") return false;
  try {
    const { level } = JSON.parse(line) as { level?: number | string };
    return level === "error" || level === "fatal" || Number(level) >= ERROR_LEVEL;
  } catch {
    return true;
  }
}

export function urlOfDatabase({ host, port, user, password, database }: ClientConfig): string {
  const secret = encodeURIComponent(String(password));
  const where = host!.startsWith("/")
    ? `@localhost/${database}?host=${encodeURIComponent(host!)}`
    : `@${host}:${port}/${database}`;
  return `postgres://${user}:${secret}${where}`;
}

/** A run from its trigger to its end: the service does what it is for. */
export async function completesARun(address: string, key: string, flowId: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const answer = await fetch(`${address}/api/runs`, {
    method: "POST",
    headers,
    body: JSON.stringify({ payload: { flowId } }),
  });
  const { data } = (await answer.json()) as { data: { id: string } };
  const stream = Buffer.from(
    `GET /api/runs/${data.id}/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`,
  );
  await sendRaw({ address, bytes: stream });
  for (let looks = 0; looks < 500; looks++) {
    const run = await fetch(`${address}/api/runs/${data.id}`, { headers });
    const { status } = ((await run.json()) as { data: { status: string } }).data;
    if (status !== "WAITING" && status !== "EXECUTING") return status;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return "never ended";
}
