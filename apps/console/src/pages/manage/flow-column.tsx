import { Link } from "@tanstack/react-router";
import { useFlowNames } from "../../api/flows.ts";
import { useT } from "../../texts/texts.tsx";
import type { Column } from "../../ui/data-table.tsx";

/** Whose it is: a link to the flow, by its name. */
export function useFlowColumn(): Column<{ readonly flowId: string }> {
  const t = useT();
  const names = useFlowNames();
  return {
    name: t("runs.flow"),
    title: true,
    cell: ({ flowId }) => (
      <Link to="/flows/$flowId" params={{ flowId }} title={flowId}>
        {names.get(flowId) ?? flowId}
      </Link>
    ),
  };
}
