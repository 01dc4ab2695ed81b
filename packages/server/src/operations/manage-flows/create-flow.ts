import type { FlowGraph } from "@millrace/contract/documents/graph";
import type { CreateFlowBody } from "@millrace/contract/manage/flows";
import { settingsOf } from "../../domain/flow/flow-settings.ts";
import { organizationFor, type Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { findOwners } from "../../storage/catalogue/find-owners.ts";
import { lockCatalogue } from "../../storage/catalogue/lock-catalogue.ts";
import { listFlowTests } from "../../storage/flow-tests/list-flow-tests.ts";
import { putFlowTest } from "../../storage/flow-tests/put-flow-test.ts";
import { type Db, transaction } from "../../storage/pool.ts";
import type { Template } from "../templates/read-templates.ts";
import { requireStorable } from "./check-graph.ts";
import { readDraft } from "./draft.ts";
import type { Caller, FlowContext } from "./flow-context.ts";
import { insertFlow } from "./insert-flow.ts";
import { managedFlow } from "./managed-flow.ts";
import { type Beginning, idFor, withNames } from "./name-flows.ts";

export interface CreateFlowContext extends Pick<FlowContext, "pool" | "ids"> {
  readonly templates: () => Promise<readonly Template[]>;
}

export interface CreatedFlow {
  readonly flowId: string;
  readonly revision: number;
  readonly flows: readonly string[];
}

/** Makes a flow that is nothing but a draft: from a template, as a copy of another one, or from nothing. */
export async function createFlow(
  { pool, ids, templates }: CreateFlowContext,
  { principal, actor }: Caller & { readonly principal: Principal },
  body: CreateFlowBody,
): Promise<CreatedFlow> {
  const organizationId = organizationFor(principal, body.organizationId, "admin");
  const { id, graph, settings } = body;
  requireStorable({ ...(graph && { graph }), ...(settings && { settings }) });
  const beginnings = await beginningsOf({ db: pool, templates }, { principal, organizationId }, body);
  return transaction(pool, async (db) => {
    if (!(await lockCatalogue(db, [organizationId])))
      throw new Refusal("service_unavailable", { retryAfterSeconds: 3 });
    const names = new Map<string, string>();
    for (const [index, one] of beginnings.entries())
      names.set(one.id, (index === 0 ? id : undefined) ?? (await freeId(db, one.name)));
    let revision = 0;
    for (const [index, one] of withNames(beginnings, names).entries()) {
      const flow = {
        organizationId,
        flowId: one.id,
        name: one.name,
        graph: one.graph,
        settings: settingsOf(one.settings),
      };
      const made = await insertFlow({ db, ids }, actor, flow);
      if (index === 0) revision = made;
      for (const document of one.tests)
        await putFlowTest(db, { organizationId, document, author: actor.userId });
    }
    const flows = [...names.values()];
    return { flowId: flows[0]!, revision, flows };
  });
}

const START: FlowGraph = { nodes: [{ id: "start", type: "start", data: {} }], edges: [] };

async function beginningsOf(
  { db, templates }: { readonly db: Db } & Pick<CreateFlowContext, "templates">,
  { principal, organizationId }: { readonly principal: Principal; readonly organizationId: string },
  { name, template, copyOf, graph, settings }: CreateFlowBody,
): Promise<Beginning[]> {
  const begun = [template, copyOf, graph].filter((one) => one !== undefined).length;
  if (begun > 1) throw invalid("template", "of template, copyOf and graph only one can be given");
  if (template !== undefined) {
    const found = (await templates()).find(({ id }) => id === template);
    if (!found) throw new Refusal("template_not_found", { messageParams: { template } });
    return found.flows.map((flow, index) => ({
      id: flow.id,
      name: (index === 0 ? name : undefined) ?? flow.name,
      graph: flow.graph,
      settings: settingsOf(flow),
      tests: found.tests.filter(({ flowId }) => flowId === flow.id),
    }));
  }
  if (copyOf !== undefined) {
    const flow = await managedFlow(db, principal, copyOf, "admin");
    if (flow.organizationId !== organizationId)
      throw new Refusal("flow_not_found", { messageParams: { flowId: copyOf } });
    const draft = await readDraft(db, flow);
    const tests = (await listFlowTests(db, organizationId, copyOf)).map(({ document }) => document);
    return [{ id: copyOf, name: name ?? flow.name, graph: draft.graph, settings: draft.settings, tests }];
  }
  if (name === undefined) throw invalid("name", "is required where neither template nor copyOf is given");
  return [{ id: "new", name, graph: graph ?? START, settings: settings ?? {}, tests: [] }];
}

const MAX_SIMILAR = 1_000;

/** Made from the name; with a number where that is taken. */
async function freeId(db: Db, name: string): Promise<string> {
  for (let number = 1; number <= MAX_SIMILAR; number++) {
    const id = idFor(name, number);
    if ((await findOwners(db, [id], [])).length === 0) return id;
  }
  throw invalid("name", "too many flows have this name; choose another one");
}

function invalid(field: string, message: string): Refusal {
  return new Refusal("invalid_request_body", { issues: [{ path: [field], message }] });
}
