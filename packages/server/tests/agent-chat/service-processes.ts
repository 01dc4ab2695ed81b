import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import type { ChatSettings } from "../../src/operations/agent-chat/chat-settings.ts";

export interface ServiceProcess {
  readonly address: string;
  readonly child: ChildProcess;
  /** SIGKILL: no goodbye, no last write. */
  kill(): Promise<void>;
  terminate(): Promise<void>;
}

const script = fileURLToPath(new URL("fixtures/service-process.ts", import.meta.url));

export async function startServiceProcess(
  connection: pg.ClientConfig,
  chatSettings: ChatSettings,
): Promise<ServiceProcess> {
  const child = fork(script, [JSON.stringify({ connection, chatSettings })], { stdio: "inherit" });
  const [address] = (await Promise.race([
    once(child, "message"),
    once(child, "exit").then(() => Promise.reject(new Error("The service did not start."))),
  ])) as [string];
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  };
  return { address, child, kill: () => end("SIGKILL"), terminate: () => end("SIGTERM") };
}
