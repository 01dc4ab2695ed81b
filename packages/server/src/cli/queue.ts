import type { Command } from "commander";
import { withPrefix } from "../domain/ids.ts";
import type { CliDependencies } from "./cli.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { listJson } from "./list-json.ts";
import { table } from "./table.ts";

interface QueueFlags extends ServiceFlags {
  readonly org: string;
}

export function registerQueue(program: Command, dependencies: CliDependencies): void {
  const queue = program.command("queue").description("list and cancel runs waiting for a free slot");
  addServiceCommand(queue, "list", "list waiting runs, oldest first", "queue list --org org_demo")
    .requiredOption("--org <id>", "the organization")
    .action((flags: QueueFlags) => list(dependencies, flags));
  addServiceCommand(
    queue,
    "cancel <queueId>",
    "remove a waiting item from the queue and cancel its run",
    "queue cancel queue_0Abc --org org_demo",
  )
    .requiredOption("--org <id>", "the organization")
    .action((queueId: string, flags: QueueFlags) => cancel(dependencies, queueId, flags));
}

async function list(dependencies: CliDependencies, flags: QueueFlags): Promise<void> {
  const items = await withService(dependencies, flags, ({ queue }) => queue.list(flags.org));
  if (flags.json) return dependencies.stdout(listJson(items));
  const rows = items.map(({ id, status, flowId, createdAt }, index) => ({
    position: index + 1,
    id,
    status,
    flow: flowId,
    since: new Date(createdAt),
  }));
  dependencies.stdout(table(rows));
}

async function cancel(dependencies: CliDependencies, queueId: string, flags: QueueFlags): Promise<void> {
  const canceled = await withService(dependencies, flags, ({ queue }) =>
    queue.cancel(flags.org, withPrefix(queueId, "queue")),
  );
  dependencies.stdout(flags.json ? JSON.stringify(canceled) : `${canceled.id} is cancelled.`);
}
