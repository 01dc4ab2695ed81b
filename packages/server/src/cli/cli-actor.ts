import { userInfo } from "node:os";
import type { Actor } from "../domain/actor.ts";

/** Whoever can reach the database may do everything; the audit log names the account that ran the command. */
export function cliActor(): Actor {
  try {
    return { via: "cli", viaId: userInfo().username };
  } catch {
    // An account without a name, as in some containers.
    return { via: "cli" };
  }
}
