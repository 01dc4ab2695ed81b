import { useQuery } from "@tanstack/react-query";
import type { RunNode, RunStatus } from "@millrace/client";
import { requestData } from "./request.ts";

interface ComparedRun {
  readonly id: string;
  readonly flowId: string;
  readonly version: string;
  readonly status: RunStatus;
}

interface Side {
  readonly status: RunNode["status"];
  readonly handle?: string;
  readonly duration: number;
  readonly attempts: number;
}

export interface PatchOperation {
  readonly op: "add" | "replace" | "remove";
  readonly path: string;
  readonly value?: unknown;
}

interface ComparedValue {
  readonly equal: boolean;
  readonly patch?: readonly PatchOperation[];
  readonly leftOut?: boolean;
}

export interface ComparedNode {
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly type: string;
  readonly a?: Side;
  readonly b?: Side;
  readonly differs: readonly string[];
  readonly input?: ComparedValue;
  readonly output?: ComparedValue;
}

export interface Comparison {
  readonly a: ComparedRun;
  readonly b: ComparedRun;
  readonly nodes: readonly ComparedNode[];
  readonly total: number;
  readonly firstDivergence: string | null;
}

export function useComparison(a: string, b: string) {
  return useQuery({
    queryKey: ["compare", a, b],
    queryFn: ({ signal }) => requestData<Comparison>(`/api/runs/${a}/compare/${b}`, { signal }),
  });
}
