import { errorCatalogue } from "@millrace/contract/errors";
import { Refusal } from "../domain/refusal.ts";
import { refusalText } from "../domain/refusal-text.ts";
import type { Caller, FlowContext } from "../operations/manage-flows/flow-context.ts";
import type { Database } from "../storage/open-database.ts";
import { cliActor } from "./cli-actor.ts";
import { type CliDependencies, ids } from "./cli.ts";
import { failureText } from "./service-client.ts";

export interface OnDatabase extends FlowContext {
  readonly db: Database["pool"];
  readonly secrets: Database["secrets"];
  readonly now: () => Date;
  /** Whoever reaches the database may do everything; the audit log says which account it was. */
  readonly caller: Caller;
}

/** What a route does, on the database itself; a refusal is told as the service would tell it. */
export async function onDatabase<T>(
  { withDatabase, catalogue }: CliDependencies,
  command: string,
  work: (context: OnDatabase) => Promise<T>,
): Promise<T> {
  return withDatabase(command, async ({ pool, secrets }) => {
    const stored = { db: pool, pool, secrets, ids, catalogue, now: () => new Date() };
    try {
      return await work({ ...stored, library: { forget: () => {} }, caller: { actor: cliActor() } });
    } catch (error) {
      throw error instanceof Refusal ? new Error(textOf(error)) : error;
    }
  });
}

function textOf(refusal: Refusal): string {
  const { code, details } = refusal;
  if (code === "flow_not_found")
    return `There is no flow "${details.messageParams?.["flowId"]}"; see: millrace flows list`;
  const { status } = errorCatalogue[code];
  return failureText({ status, code, message: refusalText(refusal, "en"), ...details });
}
