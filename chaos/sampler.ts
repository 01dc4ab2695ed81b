import { setTimeout as sleep } from "node:timers/promises";
import { readRunMoves, type RunMove } from "./recorder.ts";
import { faultOfMove } from "./transitions.ts";
import type { World } from "./world.ts";

/** What the database looked like, over and over, while everything was going on. */
export interface Samples {
  taken: number;
  /** Moments in which somebody waited; of these, those a fault may have held up. */
  waitsSeen: number;
  waitsExcused: number;
  readonly overLimit: string[];
  readonly idleSlots: string[];
  readonly overdue: string[];
  readonly dispatching: string[];
  readonly illegalMoves: Set<string>;
  readonly negativeBalances: string[];
}

interface Row {
  readonly organization: string;
  readonly limit: number;
  readonly held: number;
  /** Whoever is to be given the next free slot. */
  readonly head: string | null;
  /** Has a slot, and waits for a worker to take it. */
  readonly ready: string | null;
  readonly overdue: string | null;
  readonly dispatching: string | null;
  readonly balance: number | null;
}

const INTERVAL_MS = 200;
const IDLE_LIMIT_MS = 2_000;

// One statement is one moment: slots and limit belong together.
const LOOK = `
SELECT o.id AS organization, o.concurrency_limit AS limit,
       (SELECT count(*) FROM runs r WHERE r.organization_id = o.id AND r.holds_slot) AS held,
       (SELECT r.id FROM runs r WHERE r.organization_id = o.id AND r.status = 'WAITING' AND r.stage = 'queued'
         ORDER BY r.priority DESC, r.id LIMIT 1) AS head,
       (SELECT r.id FROM runs r WHERE r.organization_id = o.id AND r.status = 'WAITING' AND r.stage = 'admitted'
         ORDER BY r.priority DESC, r.id LIMIT 1) AS ready,
       (SELECT r.id FROM runs r WHERE r.organization_id = o.id AND r.status = 'EXECUTING'
           AND r.deadline_at < clock_timestamp() - interval '7 seconds' LIMIT 1) AS overdue,
       (SELECT r.id FROM runs r WHERE r.organization_id = o.id AND r.status = 'WAITING' AND r.stage = 'admitted' AND r.answered_queued
           AND r.started_at IS NULL AND r.updated_at < clock_timestamp() - interval '15 seconds' LIMIT 1) AS dispatching,
       (SELECT sum(e.amount) FROM credit_entries e WHERE e.organization_id = o.id AND o.credits_limited) AS balance
  FROM organizations o`;

export async function sample(world: World, signal: AbortSignal): Promise<Samples> {
  const { postgres, faults, stalls } = world;
  const samples: Samples = {
    taken: 0,
    waitsSeen: 0,
    waitsExcused: 0,
    overLimit: [],
    idleSlots: [],
    overdue: [],
    dispatching: [],
    illegalMoves: new Set(),
    negativeBalances: [],
  };
  /** Since when the same run waits although it need not, by run. */
  let waiting = new Map<string, number>();
  let lastSeq = 0;
  const disturbed = (fromMs: number) => faults.disturbed(fromMs, Date.now());
  const lateBy = (fromMs: number) => stalls.allowanceMs(fromMs, Date.now());

  const look = (rows: readonly Row[]) => {
    const nowMs = Date.now();
    const still = new Map<string, number>();
    for (const { organization, limit, held, head, ready, overdue, dispatching, balance } of rows) {
      if (held > limit)
        samples.overLimit.push(`${organization} held ${held} slots of ${limit} at ${time(nowMs)}`);
      if (balance !== null && balance < 0) samples.negativeBalances.push(`${organization} was at ${balance}`);
      for (const idle of [held < limit ? head : null, ready]) {
        if (idle === null) continue;
        const sinceMs = waiting.get(idle) ?? nowMs;
        still.set(idle, sinceMs);
        samples.waitsSeen += 1;
        if (disturbed(sinceMs)) {
          samples.waitsExcused += 1;
          // After a fault the clock starts anew.
          still.set(idle, nowMs);
        } else if (nowMs - sinceMs > IDLE_LIMIT_MS + INTERVAL_MS + lateBy(sinceMs)) {
          samples.idleSlots.push(
            `${idle} of ${organization} waited ${nowMs - sinceMs} ms with a free slot and free workers, until ${time(nowMs)}`,
          );
        }
      }
      if (overdue !== null && !disturbed(nowMs - 10_000) && lateBy(nowMs - 10_000) < 1_000)
        samples.overdue.push(
          `${overdue} still EXECUTING more than 7 s after its deadline, at ${time(nowMs)}`,
        );
      if (dispatching !== null && !disturbed(nowMs - 15_000))
        samples.dispatching.push(`${dispatching} has been dispatching for more than 15 s at ${time(nowMs)}`);
    }
    waiting = still;
  };

  const follow = (moves: readonly RunMove[]) => {
    for (const move of moves) {
      const fault = faultOfMove(move);
      if (fault !== undefined) samples.illegalMoves.add(`${move.runId}: ${fault}`);
    }
    // Numbers are drawn before the commit: the last few may still be missing.
    lastSeq = Math.max(lastSeq, (moves.at(-1)?.seq ?? 0) - 200);
  };

  while (!signal.aborted) {
    const askedMs = performance.now();
    try {
      look((await postgres.pool.query<Row>(LOOK)).rows);
      const tookMs = performance.now() - askedMs;
      if (tookMs > 100) stalls.note(tookMs);
      samples.taken += 1;
      if (samples.taken % 10 === 0) follow(await readRunMoves(postgres.pool, lastSeq));
    } catch {
      // The database is being restarted; what cannot be seen is not judged.
      waiting.clear();
    }
    await sleep(INTERVAL_MS);
  }
  return samples;
}

function time(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}
