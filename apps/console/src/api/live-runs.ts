import { useEffect, useMemo, useRef, useState } from "react";
import type { Run, RunStatus } from "@millrace/client";
import { currentOrganization } from "../lib/session.ts";
import type { RunsSearch } from "../search.ts";
import { openSource } from "./live-source.ts";
import { queryText } from "./request.ts";
import { isTerminal, readAgain, readNewestRuns } from "./runs.ts";

/** What the stream of an organization says about one run. */
interface RunChange {
  readonly runId: string;
  readonly flowId: string;
  readonly status: RunStatus;
  readonly updatedAt: string;
}

type Latest = Pick<Run, "status" | "completedAt">;

export interface LiveRuns {
  /** How many runs were made since the list was read, as far as its filters can be told from here. */
  readonly newCount: number;
  latest(run: Run): Latest;
  /** These are on the screen: those whose changes may have been missed are read again. */
  look(shown: readonly Run[]): void;
  reset(): void;
}

/** However many changes arrive, the page is drawn at most this often. */
const DRAW_MS = 250;
const MAX_NEW = 1_000;
const AGAIN_MS = 3_000;

/**
 * Follows the runs that are shown. A status only moves forward: what has ended stays so, and of two others the later
 * one counts, in whatever order they arrive.
 */
export function useLiveRuns(runs: readonly Run[], search: RunsSearch): LiveRuns {
  const known = useRef(new Map<string, Run>());
  const changes = useRef(new Map<string, RunChange>());
  const fresh = useRef(new Set<string>());
  /** Runs that may have changed while nobody could be told of it. They are read again once somebody sees them. */
  const doubtful = useRef(new Set<string>());
  const reading = useRef(false);
  const [, draw] = useState(0);

  useEffect(() => {
    known.current = new Map(runs.map((run) => [run.id, run]));
  }, [runs]);

  const { status, flow, tag, version, trigger, kind } = search;
  // Of a new run the stream tells flow and status; where a filter asks for more, nobody can say here whether it fits.
  const countsNew = tag === undefined && version === undefined && trigger === undefined && kind === undefined;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leaving = new AbortController();
    const path = `/manage/runs/stream${queryText({ organizationId: currentOrganization() })}`;
    const stream = openSource(path, (source) => {
      source.addEventListener("message", (event: MessageEvent<string>) => {
        take(JSON.parse(event.data) as RunChange, countsNew);
      });
      // What happened after the list was read and before the stream began, or while nobody could be told of it.
      source.addEventListener("open", catchUp, { once: true });
      source.addEventListener("reset", catchUp);
    });
    return () => {
      clearTimeout(timer);
      leaving.abort();
      stream.close();
      fresh.current.clear();
      doubtful.current.clear();
    };

    function take(change: RunChange, mayBeNew: boolean): void {
      const run = known.current.get(change.runId);
      if (run) note(changes.current, run, change);
      else if (mayBeNew && isNew(change)) fresh.current.add(change.runId);
      else return;
      timer ??= setTimeout(() => {
        timer = undefined;
        draw((count) => count + 1);
      }, DRAW_MS);
    }

    function catchUp(): void {
      void readNewestRuns(search, leaving.signal)
        // Whoever cannot be asked now is asked again for what is on the screen.
        .catch(() => [])
        .then((newest) => {
          for (const run of newest) take(changeOf(run), true);
          const told = new Set(newest.map(({ id }) => id));
          for (const run of known.current.values())
            if (!told.has(run.id) && !isTerminal(changes.current.get(run.id)?.status ?? run.status))
              doubtful.current.add(run.id);
          if (!leaving.signal.aborted && doubtful.current.size > 0) draw((count) => count + 1);
        });
    }

    function isNew(change: RunChange): boolean {
      const [top] = known.current.keys();
      return (
        fresh.current.size < MAX_NEW &&
        // Ids begin with the time of creation.
        (top === undefined || change.runId > top) &&
        (flow === undefined || flow === change.flowId) &&
        (status === undefined || status.includes(change.status))
      );
    }
  }, [JSON.stringify(search)]);

  return useMemo(
    () => ({
      get newCount() {
        return fresh.current.size;
      },
      latest(run: Run): Latest {
        const change = changes.current.get(run.id);
        if (!change || !isLater(run, change)) return run;
        return {
          status: change.status,
          ...(isTerminal(change.status) && { completedAt: change.updatedAt }),
        };
      },
      look(shown: readonly Run[]) {
        const wanted = shown.filter(({ id }) => doubtful.current.has(id));
        if (reading.current || wanted.length === 0) return;
        reading.current = true;
        readAgain(wanted, (run) => {
          const before = known.current.get(run.id);
          if (before) note(changes.current, before, changeOf(run));
        }).then(
          () => {
            for (const { id } of wanted) doubtful.current.delete(id);
            readyAgain();
          },
          () => setTimeout(readyAgain, AGAIN_MS),
        );
        function readyAgain(): void {
          reading.current = false;
          draw((count) => count + 1);
        }
      },
      reset() {
        changes.current.clear();
        fresh.current.clear();
        doubtful.current.clear();
        draw((count) => count + 1);
      },
    }),
    [],
  );
}

function changeOf({ id, payload, status, updatedAt }: Run): RunChange {
  return { runId: id, flowId: payload.flowId, status, updatedAt };
}

function note(changes: Map<string, RunChange>, run: Run, change: RunChange): void {
  const before = changes.get(change.runId);
  if (isLater(before ?? run, change)) changes.set(change.runId, change);
}

function isLater(before: { status: RunStatus; updatedAt: string }, change: RunChange): boolean {
  if (isTerminal(before.status)) return false;
  return isTerminal(change.status) || change.updatedAt >= before.updatedAt;
}
