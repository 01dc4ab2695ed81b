import type { FlowDocument } from "@millrace/contract/documents/flow";
import type { DryRunRequest, DryRunResult } from "../../domain/dry-run.ts";
import { compileFlow } from "../../domain/flow/compile.ts";
import { settingsOf } from "../../domain/flow/flow-settings.ts";
import { overrideInputs, unmetNeeds } from "../../domain/flow/overrides.ts";
import { type FlowValidation, validateFlow } from "../../domain/flow/validate.ts";
import { IdMaker } from "../../domain/ids.ts";
import { type FileWorkspace, readWorkspace } from "../../operations/catalogue/read-workspace.ts";
import { createAddressGuard } from "../../upstream/address-guard.ts";
import { createForeignServers } from "../../upstream/foreign/foreign-servers.ts";
import { createGuardedHttp } from "../../upstream/guarded-http/client.ts";
import type { NodeServices } from "../nodes/node-type.ts";
import { nodeTypes } from "../nodes/registry.ts";
import { redact } from "../nodes/support/redact.ts";
import { createSandbox } from "../sandbox/pool.ts";
import { bodyIssues } from "./body-issues.ts";
import { createDemoChat } from "./demo-chat.ts";
import { fileCredentials } from "./file-credentials.ts";
import { InMemoryRuns } from "./in-memory-runs.ts";
import { createMemoryStore } from "./memory-store.ts";

export interface DryRunSurroundings {
  /** Private networks that flows may reach, as in the service. */
  readonly egressAllow: readonly string[];
  /** Where `{ env: NAME }` of a secret is looked up. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The real nodes, network and sandbox over what the files bring; only what is durable lives in memory. */
export async function dryRun(
  request: DryRunRequest,
  { egressAllow, env }: DryRunSurroundings,
): Promise<DryRunResult> {
  const workspace = withVariables(await readWorkspace(request.paths), request.vars);
  const flow = chooseFlow(workspace.flows, request.flowId);
  const validate = (one: FlowDocument) => validateIn(workspace, one);
  const validation = validate(flow);
  if (validation.errors.length > 0) throw refusal(flow, validation.errors);
  const compiled = compileFlow(flow.graph, nodeTypes);
  const { overrides, issues, warnings } = overrideInputs(compiled, request.inputs);
  if (issues.length > 0)
    throw refusal(
      flow,
      issues.map(({ path, message }) => `${path[2]}: ${message}`),
    );
  const unmet = unmetNeeds(compiled.needs, overrides);
  if (unmet.length > 0)
    throw refusal(
      flow,
      unmet.map(({ key }) => `${key}: is required and empty; supply it with --inputs`),
    );
  const refused = bodyIssues(flow, compiled, request.trigger["body"], overrides);
  if (refused.length > 0) throw refusal(flow, refused);

  const ids = new IdMaker(Date.now);
  const credentials = fileCredentials(workspace.credentials, env);
  const secrets = credentials.secrets();
  const { services, close } = openServices(workspace, ids, egressAllow);
  const ending = new AbortController();
  try {
    const runs = new InMemoryRuns({
      flows: workspace.flows,
      variables: workspace.variables,
      validate,
      services,
      ids,
      answers: request.answers,
      signal: AbortSignal.any([request.signal, ending.signal]),
      resolveCredential: credentials.resolve,
      onNode: (event) => request.onNode(redact(event, secrets)),
    });
    const runId = ids.make("run");
    request.onStart({
      type: "started",
      runId,
      flowId: flow.id,
      warnings: [...validation.warnings, ...warnings],
    });
    const { data, trigger } = request;
    return redact(await runs.run({ runId, flow, compiled, overrides, data, trigger }), secrets);
  } finally {
    // Where an answer was missing, other branches may still be at work.
    ending.abort();
    await close();
  }
}

/** Those that are given win over those of the documents. */
function withVariables(workspace: FileWorkspace, vars: DryRunRequest["vars"]): FileWorkspace {
  if (!vars) return workspace;
  const { references, variables } = workspace;
  const all = (id: string) => ({ ...variables.get(id), ...vars });
  return {
    ...workspace,
    variables: new Map([...references.keys()].map((id) => [id, all(id)])),
    references: new Map(
      [...references].map(([id, own]) => [id, { ...own, variables: new Set(Object.keys(all(id))) }]),
    ),
  };
}

function openServices(workspace: FileWorkspace, ids: IdMaker, egressAllow: readonly string[]) {
  const guard = createAddressGuard({ allow: egressAllow });
  const http = createGuardedHttp({ guard });
  const foreign = createForeignServers({ dial: guard });
  const sandbox = createSandbox();
  const services: NodeServices = {
    http,
    foreign,
    sandbox,
    store: createMemoryStore(),
    chat: createDemoChat(workspace.agents, ids),
    now: Date.now,
  };
  const close = async () => {
    await sandbox.close();
    await foreign.close();
    await http.close();
  };
  return { services, close };
}

function chooseFlow(flows: readonly FlowDocument[], flowId: string | undefined): FlowDocument {
  const names = flows.map(({ id }) => id).join(", ");
  if (flows.length === 0) throw new Error("There is no document of the kind Flow in these files.");
  if (flowId === undefined) {
    if (flows.length === 1) return flows[0]!;
    throw new Error(`There are several flows in these files; choose one with --flow: ${names}`);
  }
  const flow = flows.find(({ id }) => id === flowId);
  if (!flow) throw new Error(`There is no flow "${flowId}" in these files, only: ${names}`);
  return flow;
}

function validateIn({ references }: FileWorkspace, flow: FlowDocument): FlowValidation {
  return validateFlow(flow.graph, nodeTypes, references.get(flow.organizationId)!, settingsOf(flow));
}

function refusal({ id }: FlowDocument, faults: readonly string[]): Error {
  return new Error(`The flow ${id} cannot run:\n${faults.map((text) => `  ${text}`).join("\n")}`);
}
