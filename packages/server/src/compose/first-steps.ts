import { countOrganizations } from "../storage/catalogue/count-organizations.ts";
import type { Database } from "../storage/open-database.ts";

/** On an empty database that is somebody's own: nothing is put into it unasked, only said how. */
export async function sayFirstSteps(
  database: Database,
  address: string,
  print: (text: string) => void,
): Promise<void> {
  if ((await countOrganizations(database.pool)) === 0) print(firstSteps(address));
}

function firstSteps(address: string): string {
  return `
Millrace answers at ${address}; the API is described at ${address}/docs

The database has no organization yet. Make the first one with its owner, and a key for it, with the same DATABASE_URL and
MILLRACE_SECRET_KEY:

  cat > organization.yaml <<'END'
  kind: Organization
  id: org_main
  name: Main
  members: [{ id: user_me, email: me@example.com, name: Me, role: owner }]
  END
  millrace apply organization.yaml
  millrace keys create --org org_main

Or start once with the demo workspace and a key for it: millrace start --demo
`;
}
