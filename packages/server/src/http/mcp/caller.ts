import type { Locale } from "@millrace/contract/locales";
import type { Actor } from "../../domain/actor.ts";
import type { Principal } from "../../domain/principal.ts";

/** Who calls, with what the request says beside its message. */
export interface McpCaller {
  readonly principal: Principal;
  readonly actor: Actor;
  readonly locale: Locale;
  /** Of the header `Idempotency-Key`. */
  readonly key: string | undefined;
  /** Of clients that open with `initialize`. */
  readonly session: ClientSession | undefined;
}

/** What an older client told when it opened. It holds the session itself, so nothing of it is kept here. */
export interface ClientSession {
  readonly id: string;
  /** It can put questions to a person. */
  readonly canAsk: boolean;
}
