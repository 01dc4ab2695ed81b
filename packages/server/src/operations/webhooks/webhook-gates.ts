import { createHash, timingSafeEqual } from "node:crypto";
import { type FreshCache, freshCache, remember, type Stopwatch } from "../../domain/fresh-cache.ts";
import { Refusal } from "../../domain/refusal.ts";
import { GroupCommit } from "../../storage/group-commit.ts";
import type { Db } from "../../storage/pool.ts";
import { findWebhookGates, type WebhookGate } from "../../storage/webhooks/find-webhook-gates.ts";

export type { WebhookGate };

// A token that was regenerated, disabled or deleted is refused everywhere within this time.
const FRESH_MS = 2_000;
const MAX_ENTRIES = 10_000;
const LOOK_UPS = { maxItems: 100, maxUnderWay: 2 };
const FLOW_ID = /^[A-Za-z0-9_-]{1,64}$/;
const TOKEN = /^[A-Za-z0-9]{43}$/;
/** Compared with where there is nothing to compare with, so that both take the same time. */
const NO_HASH = Buffer.alloc(32);

/** Who may post to which flow. Known answers cost a hash and a comparison, no query. */
export class WebhookGates {
  readonly #known: FreshCache<Promise<WebhookGate | undefined>>;
  /** Whoever guesses addresses costs a place in a statement, not a statement. */
  readonly #lookUps: GroupCommit<string, WebhookGate | undefined>;

  constructor(db: Db, clock: Stopwatch = performance) {
    this.#known = freshCache({ maxEntries: MAX_ENTRIES, freshMs: FRESH_MS, clock });
    this.#lookUps = new GroupCommit((flowIds) => findWebhookGates(db, flowIds), LOOK_UPS);
  }

  /** The webhook this token opens; every way to have the wrong one ends alike. */
  async open(flowId: string, token: string): Promise<WebhookGate | undefined> {
    const isPossible = FLOW_ID.test(flowId) && TOKEN.test(token);
    const gate = isPossible
      ? await remember(this.#known, flowId, () => this.#lookUps.add(flowId))
      : undefined;
    const matches = timingSafeEqual(createHash("sha256").update(token).digest(), gate?.tokenHash ?? NO_HASH);
    return matches ? gate : undefined;
  }
}

/** What keeps a post with the right token out. */
export function refuseClosed({ suspended, enabled, active }: WebhookGate, flowId: string): void {
  if (suspended) throw new Refusal("organization_suspended");
  if (!enabled) throw new Refusal("webhook_disabled");
  if (!active) throw new Refusal("flow_passive", { messageParams: { flowId } });
}
