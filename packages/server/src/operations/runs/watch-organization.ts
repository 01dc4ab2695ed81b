import { organizationFor, type Principal } from "../../domain/principal.ts";
import type { RunFeed } from "../../domain/run-feed.ts";
import type { OrganizationWatch } from "./organization-watch.ts";

/** Everything that happens to the runs of an organization from now on, or from where the caller has been before. */
export async function watchOrganization(
  { organizationWatch }: { readonly organizationWatch: OrganizationWatch },
  principal: Principal,
  asked: string | undefined,
  onNews: () => void,
): Promise<{ readonly feed: RunFeed; readonly leave: () => void }> {
  return organizationWatch.join(organizationFor(principal, asked, "viewer"), onNews);
}
