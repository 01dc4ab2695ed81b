import type { FlowDiff, FlowVersion, PublishedVersion } from "@millrace/client";
import type { Command } from "commander";
import { ReplayDesk } from "../operations/backtest/replay-desk.ts";
import { publishDraft } from "../operations/manage-flows/draft.ts";
import {
  diffFlowVersions,
  type ListedVersion,
  listFlowVersions,
  type VersionDiff,
} from "../operations/manage-flows/read-versions.ts";
import { rollBack } from "../operations/manage-flows/roll-back.ts";
import type { PublishedVersion as Published } from "../operations/manage-flows/publish-version.ts";
import { allPages } from "./all-pages.ts";
import { type CliDependencies, limitNumber } from "./cli.ts";
import { addManageCommand, eitherWay } from "./either-way.ts";
import { listJson } from "./list-json.ts";
import { onDatabase } from "./on-database.ts";
import type { ServiceFlags } from "./service-client.ts";
import { table } from "./table.ts";
import { oneLine, plain } from "./texts.ts";

export function registerFlowVersions(flows: Command, dependencies: CliDependencies): void {
  addManageCommand(
    flows,
    "versions <flowId>",
    "list the versions of a flow with author, time and note, newest first",
    "flows versions flow_hello",
  ).action((flowId: string, flags: ServiceFlags) => versions(dependencies, flowId, flags));
  addManageCommand(
    flows,
    "diff <flowId> <from> <to>",
    "say in words what changed from one version to another; either may be draft",
    "flows diff flow_hello 20260101.1 draft",
  ).action((flowId: string, from: string, to: string, flags: ServiceFlags) =>
    diff(dependencies, flowId, { version: from, other: to }, flags),
  );
  addManageCommand(
    flows,
    "publish <flowId>",
    "put the draft of a flow in force, for every trigger from then on",
    "flows publish flow_hello --note 'greets by name'",
  )
    .option("--note <text>", "why; kept with the version")
    .option("--revision <number>", "of the draft that is meant; refused where it has changed", limitNumber)
    .action((flowId: string, flags: PublishFlags) => publish(dependencies, flowId, flags));
  addManageCommand(
    flows,
    "rollback <flowId> <version>",
    "put an earlier version in force again, as a new one",
    "flows rollback flow_hello 20260101.1 --note 'it broke'",
  )
    .option("--note <text>", "why; kept with the version")
    .action((flowId: string, version: string, flags: PublishFlags) =>
      rollback(dependencies, flowId, version, flags),
    );
}

const MAX_LISTED = 100;

async function versions(dependencies: CliDependencies, flowId: string, flags: ServiceFlags): Promise<void> {
  const { stdout } = dependencies;
  const listed = await eitherWay<FlowVersion[], ListedVersion[]>(dependencies, flags, {
    service: ({ deploys }) => allPages((page) => deploys.versions(flowId, page)),
    database: () =>
      onDatabase(dependencies, "flows versions", async (context) => {
        const page = await listFlowVersions(context, undefined, flowId, { "page[size]": MAX_LISTED });
        return page.items;
      }),
  });
  if (flags.json) return stdout(listJson(listed));
  const rows = listed.map(({ version, active, createdAt, author, nodes, note }) => ({
    version,
    "in force": active,
    published: new Date(createdAt),
    by: author,
    nodes,
    note: note == null ? undefined : oneLine(note, 80),
  }));
  stdout(table(rows));
}

async function diff(
  dependencies: CliDependencies,
  flowId: string,
  { version, other }: { readonly version: string; readonly other: string },
  flags: ServiceFlags,
): Promise<void> {
  const { stdout } = dependencies;
  const found = await eitherWay<FlowDiff, VersionDiff>(dependencies, flags, {
    service: ({ deploys }) => deploys.diff(flowId, version, other),
    database: () =>
      onDatabase(dependencies, "flows diff", (context) =>
        diffFlowVersions(context, undefined, flowId, { version, other }),
      ),
  });
  if (flags.json) return stdout(JSON.stringify(found));
  if (found.changes.length === 0)
    return stdout(found.runsAlike ? "They run alike." : "They differ, but not in what can be said in words.");
  for (const { text } of found.changes) stdout(plain(text));
}

interface PublishFlags extends ServiceFlags {
  readonly note?: string;
  readonly revision?: number;
}

type Result = PublishedVersion | (Published & { readonly warnings: readonly string[] });

async function publish(dependencies: CliDependencies, flowId: string, flags: PublishFlags): Promise<void> {
  const { note, revision } = flags;
  const published = await eitherWay<Result, Result>(dependencies, flags, {
    service: ({ deploys }) => deploys.publish(flowId, { note, revision }),
    database: () =>
      onDatabase(dependencies, "flows publish", (context) =>
        dependencies.withReplay((replay) =>
          publishDraft({ ...context, replays: new ReplayDesk(replay) }, context.caller, flowId, {
            note,
            revision,
          }),
        ),
      ),
  });
  report(dependencies, published, flags);
}

async function rollback(
  dependencies: CliDependencies,
  flowId: string,
  version: string,
  flags: PublishFlags,
): Promise<void> {
  const { note } = flags;
  const published = await eitherWay<Result, Result>(dependencies, flags, {
    service: ({ deploys }) => deploys.rollback(flowId, { version, note }),
    database: () =>
      onDatabase(dependencies, "flows rollback", (context) =>
        rollBack(context, context.caller, flowId, { version, note }),
      ),
  });
  report(dependencies, published, flags);
}

function report({ stdout }: CliDependencies, published: Result, { json }: ServiceFlags): void {
  if (json) return stdout(JSON.stringify(published));
  const { flowId, version, previous, warnings } = published;
  const before =
    previous === null ? "the first one" : previous === version ? "as before" : `before: ${previous}`;
  stdout(`${flowId} runs version ${version} (${before}).`);
  for (const warning of warnings) stdout(`  warning: ${plain(warning)}`);
}
