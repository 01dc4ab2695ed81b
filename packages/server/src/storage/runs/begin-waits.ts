import { waitKinds } from "@millrace/contract/run-status";
import { assumed, integer, json, orNull, timestamp } from "../columns.ts";
import type { Db } from "../pool.ts";
import { type Row, statement } from "../statement.ts";
import type { RunToAdmit } from "./admit-runs.ts";
import { newRunRow, payloadArrays } from "./new-run-row.ts";

/** What whoever answers an approval needs to know beside its message. */
export interface ApprovalDetails {
  /** Users, by id or address. */
  readonly assignees?: readonly string[];
  /** JSON Schema of the answer's data. */
  readonly form?: Readonly<Record<string, unknown>>;
}

/** What a node of an executing run waits for. */
export interface NewWait {
  readonly runId: string;
  readonly epoch: number;
  readonly nodeKey: string;
  readonly nodeId: string;
  /** Of the node, counted from 1. */
  readonly attempt: number;
  readonly kind: StoredWaitKind;
  readonly message?: string;
  readonly details?: ApprovalDetails;
  /** Its time comes at this moment, or so long after it is registered, by the database's clock. */
  readonly untilMs?: number;
  readonly durationMs?: number;
  /** The limit of the node itself; it ends with an error then. */
  readonly timeoutMs?: number;
  /** The run that is started for a `run-flow` node. */
  readonly child?: RunToAdmit;
  /** Nobody waits for the child. */
  readonly isLeft?: boolean;
  readonly onParentEnd?: "cancel" | "leave";
  /** Why there is nothing to wait for. */
  readonly refusal?: { readonly error: { readonly name: string; readonly message: string } };
}

/** `container`: nothing but the limit of its time. */
export const storedWaitKinds = [...waitKinds, "container"] as const;
export type StoredWaitKind = (typeof storedWaitKinds)[number];

const NOTHING = { data: null, inputs: null, trigger: null };

const BEGIN_WAITS = statement({
  name: "begin-waits",
  text: `SELECT ordinal, started_at AS "startedAt", due_at AS "dueAt", expires_at AS "expiresAt", answer, answered_at AS "answeredAt"
             FROM begin_waits($1, $2, $3, $4)`,
  columns: {
    ordinal: assumed(integer),
    startedAt: assumed(timestamp),
    dueAt: orNull(timestamp),
    expiresAt: orNull(timestamp),
    answer: orNull(json<Readonly<Record<string, unknown>>>()),
    answeredAt: orNull(timestamp),
  },
});

export type WaitState = Omit<Row<typeof BEGIN_WAITS>, "ordinal">;

/** Registers waits and starts their children, in order; undefined for a run that has changed hands. */
export async function beginWaits(
  db: Db,
  organizationId: string,
  waits: readonly NewWait[],
): Promise<(WaitState | undefined)[]> {
  const { rows } = await db.query(
    BEGIN_WAITS([
      JSON.stringify({
        organization_id: organizationId,
        waits: waits.map(({ child, ...wait }) => ({ ...wait, child: child && newRunRow(child.run) })),
      }),
      ...payloadArrays(waits.map(({ child }) => child?.texts ?? NOTHING)),
    ]),
  );
  const states = new Map(rows.map(({ ordinal, ...state }) => [ordinal, state]));
  return waits.map((_, at) => states.get(at + 1));
}
