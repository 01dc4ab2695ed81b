import { useMemo } from "react";
import type { FlowDiff } from "@millrace/client";
import { useT } from "../texts/texts.tsx";
import type { NodeMark } from "./graph-model.ts";

/** What is different, by the ids of nodes. */
export function useDifferenceMarks(difference: FlowDiff | undefined): ReadonlyMap<string, NodeMark> {
  const t = useT();
  return useMemo(() => {
    const nodes = (difference?.changes ?? []).filter(({ what }) => what === "node");
    return new Map(nodes.map(({ id, change }) => [id, { difference: change, text: t(`compare.${change}`) }]));
  }, [difference, t]);
}
