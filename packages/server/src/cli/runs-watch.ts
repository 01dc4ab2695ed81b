import type { MillraceClient } from "@millrace/client";
import type { RunDetail, RunNode, RunStreamEvent } from "@millrace/contract/runs";
import type { Command } from "commander";
import type { CliDependencies } from "./cli.ts";
import { NodeView } from "./node-view.ts";
import { pauseText } from "./pause-text.ts";
import { runIdOf } from "./run-id.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { oneLine, pretty } from "./texts.ts";

export function registerRunsWatch(runs: Command, dependencies: CliDependencies): void {
  addServiceCommand(
    runs,
    "watch <runId>",
    "show the nodes of a run as they go, until it has ended; ends with 0 only if it completed",
    "runs watch run_0Abc",
  ).action((id: string, flags: ServiceFlags) => watchRun(dependencies, runIdOf(id), flags));
}

/** Follows a run to its end. Ctrl-C stops the watching, not the run. */
export async function watchRun(
  dependencies: CliDependencies,
  runId: string,
  flags: ServiceFlags,
): Promise<void> {
  const { stdout, interruption } = dependencies;
  const signal = interruption();
  const watch = flags.json ? new JsonWatch(stdout) : new DrawnWatch(dependencies);
  try {
    const run = await withService(dependencies, flags, (client) => follow(client, runId, watch, signal));
    watch.end(run);
    if (run.status !== "COMPLETED") throw new Error(endText(run));
  } catch (error) {
    if (signal.aborted) throw new Error(`Stopped watching; ${runId} goes on.`, { cause: error });
    throw error;
  } finally {
    watch.close();
  }
}

async function follow(
  { runs }: MillraceClient,
  runId: string,
  watch: Watch,
  signal: AbortSignal,
): Promise<RunDetail> {
  watch.records(await runs.nodes(runId, { signal }));
  for await (const event of runs.stream(runId, { nodes: true, signal })) {
    watch.event(event);
    if (event.type === "update" && event.data.status === "PAUSED")
      watch.paused(await runs.get(runId, { signal }));
  }
  watch.records(await runs.nodes(runId, { signal }));
  return runs.get(runId, { signal });
}

interface Watch {
  event(event: RunStreamEvent): void;
  records(nodes: readonly RunNode[]): void;
  paused(run: RunDetail): void;
  end(run: RunDetail): void;
  close(): void;
}

/** Every event of the stream as it came, and the run last. */
class JsonWatch implements Watch {
  readonly #stdout: (text: string) => void;
  constructor(stdout: (text: string) => void) {
    this.#stdout = stdout;
  }
  event(event: RunStreamEvent): void {
    this.#stdout(JSON.stringify(event));
  }
  records(): void {}
  paused(): void {}
  end(run: RunDetail): void {
    this.#stdout(JSON.stringify({ type: "run", data: run }));
  }
  close(): void {}
}

type NodeData = Extract<RunStreamEvent, { type: "node" }>["data"];

class DrawnWatch implements Watch {
  readonly #view: NodeView;
  readonly #stdout: (text: string) => void;
  /** Node keys with the time they were begun. */
  readonly #ended = new Map<string, string>();
  #status: string | undefined;

  constructor(dependencies: CliDependencies) {
    this.#stdout = dependencies.stdout;
    this.#view = new NodeView(dependencies);
  }

  event(event: RunStreamEvent): void {
    if (event.type === "update" && event.data.status !== this.#status) {
      this.#status = event.data.status;
      this.#view.print(`${event.data.id} ${event.data.status}`);
    } else if (event.type === "node") this.#node(event.data);
  }

  /** What the records have told is not told again. */
  #node({ nodeKey, type, status, startedAt, completedAt }: NodeData): void {
    const ended = this.#ended.get(nodeKey);
    if (ended !== undefined && startedAt <= ended) return;
    if (completedAt !== undefined) this.#ended.set(nodeKey, startedAt);
    const durationMs =
      completedAt === undefined ? undefined : Date.parse(completedAt) - Date.parse(startedAt);
    this.#view.show({ nodeKey, type, status, durationMs });
  }

  records(nodes: readonly RunNode[]): void {
    for (const { startedAt, completedAt, ...node } of nodes) {
      if (completedAt === undefined || this.#ended.has(node.nodeKey)) continue;
      this.#ended.set(node.nodeKey, startedAt);
      this.#view.show({ ...node, durationMs: Date.parse(completedAt) - Date.parse(startedAt) });
    }
  }

  paused(run: RunDetail): void {
    if (run.status === "PAUSED") this.#view.print(pauseText(run));
  }

  end(run: RunDetail): void {
    this.#view.close();
    const took = run.duration === undefined ? "" : ` in ${run.duration} s`;
    this.#stdout(`${run.status}${took}`);
    if (run.output) this.#stdout(pretty(run.output));
  }

  close(): void {
    this.#view.close();
  }
}

function endText({ id, status, error }: RunDetail): string {
  if (!error) return `${id} ended ${status}.`;
  const place = error.nodeId === undefined ? "" : ` at the node "${error.nodeId}"`;
  return oneLine(`${id} ended ${status}${place}: ${error.message}`, 1_000);
}
