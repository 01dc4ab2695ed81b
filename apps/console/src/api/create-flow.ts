import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { CreateFlowRequest, FlowCreated } from "@millrace/client";
import { currentOrganization } from "../lib/session.ts";
import { requestData } from "./request.ts";

/** Makes a flow that is nothing but a draft, and opens it. */
export function useCreateFlow() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (wanted: Omit<CreateFlowRequest, "organizationId">) =>
      requestData<FlowCreated>("/manage/flows", {
        method: "POST",
        body: { ...wanted, organizationId: currentOrganization() },
      }),
    onSuccess: async ({ flowId }) => {
      void queries.invalidateQueries({ queryKey: ["flows"] });
      void queries.invalidateQueries({ queryKey: ["/manage/flows"] });
      await navigate({ to: "/flows/$flowId/edit", params: { flowId } });
    },
  });
}
