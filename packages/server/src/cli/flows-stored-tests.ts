import type { Command } from "commander";
import { allPages } from "./all-pages.ts";
import type { CliDependencies } from "./cli.ts";
import { listJson } from "./list-json.ts";
import { addServiceCommand, type ServiceFlags, withService } from "./service-client.ts";
import { table } from "./table.ts";
import { oneLine } from "./texts.ts";

interface TestsFlags extends ServiceFlags {
  readonly remove?: string;
}

export function registerFlowsStoredTests(flows: Command, dependencies: CliDependencies): void {
  addServiceCommand(
    flows,
    "tests <flowId>",
    "list the tests that are stored with a flow, with how they come out on its draft",
    `flows tests flow_order
  $ millrace flows tests flow_order --remove order-small`,
  )
    .option("--remove <testId>", "remove this one instead")
    .action((flowId: string, flags: TestsFlags) => tests(dependencies, flowId, flags));
}

async function tests(dependencies: CliDependencies, flowId: string, flags: TestsFlags): Promise<void> {
  const { stdout } = dependencies;
  const { remove, json } = flags;
  if (remove !== undefined) {
    const removed = await withService(dependencies, flags, ({ deploys }) =>
      deploys.deleteTest(flowId, remove),
    );
    return stdout(json ? JSON.stringify(removed) : `${remove} is removed.`);
  }
  const listed = await withService(dependencies, flags, async ({ deploys }) => {
    const stored = await allPages(() => deploys.tests(flowId));
    const { tests: done } = stored.length === 0 ? { tests: [] } : await deploys.testDraft(flowId);
    return stored.map((test) => ({
      ...test,
      passed: done.find(({ id }) => id === test.id)?.passed ?? false,
    }));
  });
  if (json) return stdout(listJson(listed));
  stdout(
    table(
      listed.map(({ id, name, passed, updatedAt }) => ({
        id,
        name: oneLine(name, 80),
        "passes on the draft": passed,
        updated: new Date(updatedAt),
      })),
    ),
  );
}
