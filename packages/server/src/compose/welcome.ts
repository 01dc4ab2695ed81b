import { IdMaker } from "../domain/ids.ts";
import { nodeTypes } from "../engine/nodes/registry.ts";
import { applyDocuments } from "../operations/apply-documents/apply-documents.ts";
import { readPaths } from "../operations/apply-documents/read-documents.ts";
import { createKey } from "../operations/keys/create-key.ts";
import { demoDirectory } from "../package-files.ts";
import { countOrganizations } from "../storage/catalogue/count-organizations.ts";
import type { Database } from "../storage/open-database.ts";
import { makeDemoRuns } from "./demo-runs.ts";

interface Welcome {
  readonly address: string;
  readonly runs: boolean;
  /** Whoever stops the service does not wait for runs that are only there to be looked at. */
  readonly stopping: AbortSignal;
}

/** On an empty database: the demo workspace, a key for it, lines to try it with, and a few runs to look at. */
export async function welcome(
  database: Database,
  { address, runs, stopping }: Welcome,
  print: (text: string) => void,
): Promise<void> {
  if ((await countOrganizations(database.pool)) > 0)
    return print(`Millrace answers at ${address}; the API is described at ${address}/docs`);
  const ids = new IdMaker(() => Date.now());
  const services = { pool: database.pool, secrets: database.secrets, ids, catalogue: nodeTypes };
  await applyDocuments(services, await readPaths([demoDirectory]), {
    env: {},
    actor: { via: "service" },
  });
  const { key } = await createKey(
    { pool: database.pool, ids },
    { via: "service" },
    {
      scope: "org",
      organizationId: "org_demo",
      name: "first key",
      // The only one there is: with it one can do everything that one can try.
      role: "owner",
    },
  );
  print(greeting(address, key));
  if (!runs) return;
  await makeDemoRuns(address, key, stopping).catch((error: unknown) => {
    if (stopping.aborted) return;
    print(`The demo runs could not be made: ${error instanceof Error ? error.message : String(error)}`);
  });
}

function greeting(address: string, key: string): string {
  return `
Millrace answers at ${address}; the API is described at ${address}/docs

The demo workspace org_demo was loaded (examples/demo). Its API key is shown only once:

  export MILLRACE_API_KEY=${key}

Check the key:
  curl -s ${address}/api/auth/validate -H "Authorization: Bearer $MILLRACE_API_KEY"

Run a flow:
  curl -s ${address}/api/runs -H "Authorization: Bearer $MILLRACE_API_KEY" -H 'Content-Type: application/json' \\
    -d '{"payload":{"flowId":"flow_hello","trigger":{"body":{"name":"Ada"}}}}'

Run one and watch it:
  RUN=$(curl -s ${address}/api/runs -H "Authorization: Bearer $MILLRACE_API_KEY" -H 'Content-Type: application/json' \\
    -d '{"payload":{"flowId":"flow_loop"}}' | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')
  curl -sN ${address}/api/runs/$RUN/stream -H "Authorization: Bearer $MILLRACE_API_KEY"

Chat with an agent:
  SESSION=$(curl -s ${address}/api/agents/agent_helper/sessions -H "Authorization: Bearer $MILLRACE_API_KEY" \\
    -H 'Content-Type: application/json' -d '{"endUserId":"me"}' | sed 's/.*"sessionId":"\\([^"]*\\)".*/\\1/')
  curl -sN ${address}/api/agents/agent_helper/sessions/$SESSION/messages -H "Authorization: Bearer $MILLRACE_API_KEY" \\
    -H 'Content-Type: application/json' -H 'Accept: text/event-stream' -d '{"message":"Hello there"}'
`;
}
