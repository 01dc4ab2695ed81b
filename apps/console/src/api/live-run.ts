import { notifyManager, type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { RunDetail, RunStreamEvent } from "@millrace/client";
import { openSource } from "./live-source.ts";
import { type NodeHead, readTopNodes } from "./nodes.ts";
import { isTerminal, readRun } from "./runs.ts";

/** Changes are gathered and drawn together: a run may tell of hundreds of nodes at once. */
const DRAW_MS = 120;
const REREAD_MS = 400;
/** Rounds are read page by page; a loop of thousands must not ask for them thousands of times. */
const ROUNDS_MS = 1_000;
/** So long after its end a run's nodes may have been read before it, and the run itself after it. */
const LATELY_MS = 60_000;

/** Follows a run that has not ended, and keeps what is cached of it up to date. */
export function useLiveRun(runId: string, run: RunDetail | undefined): void {
  const queries = useQueryClient();
  const live = run !== undefined && !isTerminal(run.status);
  const endedAt = live ? undefined : run?.completedAt;
  /** The run whose nodes were read after its end. */
  const wholeRun = useRef<string>(undefined);
  useEffect(() => {
    if (!endedAt || wholeRun.current === runId || Date.now() - Date.parse(endedAt) > LATELY_MS) return;
    wholeRun.current = runId;
    void readEnd(queries, runId);
  }, [queries, runId, endedAt]);
  useEffect(() => {
    if (!live) return;
    wholeRun.current = undefined;
    let gathered: NodeHead[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let reread: ReturnType<typeof setTimeout> | undefined;
    let rounds: ReturnType<typeof setTimeout> | undefined;
    const stream = openSource(`/api/runs/${runId}/stream?include=nodes`, (source) =>
      source.addEventListener("message", take),
    );
    return () => {
      stream.close();
      clearTimeout(timer);
      clearTimeout(reread);
      clearTimeout(rounds);
    };

    function take({ data }: MessageEvent<string>): void {
      const event = JSON.parse(data) as RunStreamEvent;
      if (event.type === "node") {
        gathered.push(event.data);
        timer ??= setTimeout(draw, DRAW_MS);
      } else if (event.type === "update") {
        reread ??= setTimeout(() => {
          reread = undefined;
          void queries.invalidateQueries({ queryKey: ["run", runId], exact: true });
          void queries.invalidateQueries({ queryKey: ["run", runId, "why"] });
        }, REREAD_MS);
      } else if (event.type === "completed" || event.type === "error") {
        stream.close();
        // All that is read now is later than what was gathered. What it began with stays, and it waits for nothing more.
        clearTimeout(timer);
        clearTimeout(reread);
        wholeRun.current = runId;
        void readEnd(queries, runId);
      }
    }

    function draw(): void {
      timer = undefined;
      const changes = gathered;
      gathered = [];
      patchNodes(queries, runId, changes);
      if (changes.some(({ nodeKey }) => nodeKey.includes("[")))
        rounds ??= setTimeout(() => {
          rounds = undefined;
          void queries.invalidateQueries({ queryKey: ["run", runId, "rounds"] });
        }, ROUNDS_MS);
    }
  }, [queries, runId, live]);
}

const KEPT = new Set<unknown>(["trigger", "why"]);
const DRAWN_TOGETHER = new Set<unknown>([undefined, "nodes"]);

/** The run and its nodes are drawn at once: the page would be laid out for each of them. */
async function readEnd(queries: QueryClient, runId: string): Promise<void> {
  const those = (isMeant: (part: unknown) => boolean) => ({
    queryKey: ["run", runId],
    predicate: ({ queryKey }: { queryKey: QueryKey }) => isMeant(queryKey[2]),
  });
  void queries.invalidateQueries(those((part) => !KEPT.has(part) && !DRAWN_TOGETHER.has(part)));
  // What was asked for before the end must not come after it.
  void queries.cancelQueries(those((part) => DRAWN_TOGETHER.has(part)));
  try {
    const [run, nodes] = await Promise.all([readRun(runId), readTopNodes(runId)]);
    notifyManager.batch(() => {
      queries.setQueryData(["run", runId], run);
      queries.setQueryData(["run", runId, "nodes"], nodes);
    });
  } catch {
    // Asked again until it is answered, and told meanwhile.
    await queries.invalidateQueries(those((part) => DRAWN_TOGETHER.has(part)));
  }
}

function patchNodes(queries: QueryClient, runId: string, changes: readonly NodeHead[]): void {
  queries.setQueryData<NodeHead[]>(["run", runId, "nodes"], (before) => {
    if (!before) return before;
    const byKey = new Map(before.map((node) => [node.nodeKey, node]));
    for (const change of changes) {
      // What is inside a container is read with its rounds.
      if (!change.nodeKey.includes("["))
        byKey.set(change.nodeKey, { ...byKey.get(change.nodeKey), ...change });
    }
    return [...byKey.values()];
  });
}
