import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { testSecretKey } from "../support/service.ts";
import type { TestDatabase } from "../support/database.ts";
import { program } from "../support/program.ts";

/** A process of its own, so that all it prints and logs can be looked at. */
export async function spawnService({ connection }: TestDatabase) {
  const { user, password, database, host } = connection;
  const child = spawn(process.execPath, [program, "start"], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      DATABASE_URL: `postgres://${user}:${String(password)}@/${database}?host=${encodeURIComponent(host!)}`,
      MILLRACE_SECRET_KEY: testSecretKey.toString("hex"),
      MILLRACE_EGRESS_ALLOW: "127.0.0.0/8",
      MILLRACE_LOG_LEVEL: "trace",
      MILLRACE_LOG_FORMAT: "json",
      PORT: "0",
    },
  });
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const closed = once(child, "close");
  const url = await addressOf(child.stdout);
  return {
    url,
    /** All it has ever printed. */
    stop: async (): Promise<string> => {
      child.kill("SIGTERM");
      await closed;
      return printed;
    },
  };
}

async function addressOf(stdout: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stdout })) {
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
    if (found) return found[0];
  }
  throw new Error("The service did not say where it answers.");
}
