import type { Invariant } from "./invariant.ts";
import { noLostWork } from "./01-no-lost-work.ts";
import { legalPath } from "./02-legal-path.ts";
import { oneEnding } from "./03-one-ending.ts";
import { fence } from "./04-fence.ts";
import { checkpoint } from "./05-checkpoint.ts";
import { slots } from "./06-slots.ts";
import { queue } from "./07-queue.ts";
import { credits } from "./08-credits.ts";
import { idempotency } from "./09-idempotency.ts";
import { cancel } from "./10-cancel.ts";
import { deadline } from "./11-deadline.ts";
import { delay } from "./12-delay.ts";
import { fairness } from "./13-fairness.ts";
import { events } from "./14-events.ts";
import { canaries } from "./15-canaries.ts";
import { boundedRepeat } from "./16-bounded-repeat.ts";
import { processes } from "./17-processes.ts";
import { answers } from "./18-answers.ts";
import { chats } from "./19-chats.ts";
import { forks } from "./20-forks.ts";

/** The sixteen promises of the design, and what no promise says because it goes without saying. */
export const INVARIANTS: readonly Invariant[] = [
  noLostWork,
  legalPath,
  oneEnding,
  fence,
  checkpoint,
  slots,
  queue,
  credits,
  idempotency,
  cancel,
  deadline,
  delay,
  fairness,
  events,
  canaries,
  boundedRepeat,
  processes,
  answers,
  chats,
  forks,
];
