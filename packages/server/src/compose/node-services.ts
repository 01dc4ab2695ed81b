import {
  NodeError,
  type AgentChat,
  type NodeServices,
  type ResolvedCredential,
} from "../engine/nodes/node-type.ts";
import { createSandbox } from "../engine/sandbox/pool.ts";
import { openCredential } from "../operations/credentials/open-credential.ts";
import type { Pool } from "../storage/pool.ts";
import type { SecretBox } from "../storage/secret-box.ts";
import { gatherStore } from "../storage/store/gathered-store.ts";
import { createAddressGuard } from "../upstream/address-guard.ts";
import { createForeignServers } from "../upstream/foreign/foreign-servers.ts";
import { createGuardedHttp } from "../upstream/guarded-http/client.ts";

export interface NodeServicesOptions {
  readonly pool: Pool;
  readonly secrets: SecretBox;
  readonly egressAllow: readonly string[];
  readonly chat: AgentChat;
  readonly nowMs: () => number;
}

/** The outside world of the nodes, made of the real parts. */
export function composeNodeServices({ pool, secrets, egressAllow, chat, nowMs }: NodeServicesOptions) {
  const guard = createAddressGuard({ allow: egressAllow });
  const http = createGuardedHttp({ guard });
  const foreign = createForeignServers({ dial: guard });
  const sandbox = createSandbox();
  const services: NodeServices = {
    http,
    foreign,
    sandbox,
    chat,
    now: nowMs,
    store: gatherStore(pool),
  };
  return {
    services,
    warm: () => sandbox.warm(),
    async resolveCredential(organizationId: string, id: string): Promise<ResolvedCredential> {
      const credential = await openCredential({ db: pool, secrets }, organizationId, id);
      if (!credential)
        throw new NodeError("CredentialNotFound", `There is no credential ${id} in this organization.`);
      return credential;
    },
    close: async () => {
      await sandbox.close();
      await foreign.close();
      await http.close();
    },
  };
}
