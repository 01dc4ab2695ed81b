import type { WhyCause, WhyNote } from "@millrace/contract/why";
import type { Role } from "../../domain/role.ts";
import type { SlotHolder } from "../../storage/why/find-place-in-queue.ts";
import type { OpenWait, WaitingRun } from "../../storage/why/find-waiting-run.ts";

interface WhyError {
  readonly name: string;
  readonly message: string;
  readonly nodeKey: string;
}

/** What holds one run up, before it is put into words. */
export interface Cause {
  readonly waiting: boolean;
  readonly cause: WhyCause;
  readonly since: Date;
  readonly until?: Date | undefined;
  readonly untilIsEstimate?: boolean;
  readonly position?: number;
  readonly positionIsMinimum?: boolean;
  readonly heldBy?: readonly SlotHolder[];
  /** The attempt that comes next. */
  readonly attempt?: number;
  readonly error?: WhyError | undefined;
  /** The node that waits. */
  readonly wait?: OpenWait;
}

/** A cause with all that its sentence and its actions are made of. */
export interface Explanation extends Cause {
  readonly run: WaitingRun;
  readonly role: Role;
  readonly notes: readonly WhyNote[];
  /** Messages of errors and approvals are not for this caller. */
  readonly hidesValues: boolean;
  /** Answers the approval without a key; only for those who may answer. */
  readonly link?: string;
}
