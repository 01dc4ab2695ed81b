import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { RunCreated, RunQueued } from "@millrace/client";
import { requestData } from "../../api/request.ts";
import { currentOrganization } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { useBody } from "../../ui/use-body.tsx";

/** Starts a run by hand, with a body as a program would send it. */
export function TriggerDialog(props: { flowId: string; input: unknown; onClose: () => void }): ReactNode {
  const { flowId, onClose } = props;
  const t = useT();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const body = useBody(props.input);
  const [tags, setTags] = useState("");
  const trigger = useMutation({
    mutationFn: () =>
      requestData<RunCreated | RunQueued>("/api/runs", {
        method: "POST",
        body: {
          payload: {
            organizationId: currentOrganization(),
            flowId,
            triggerSource: "manual",
            ...(body.value !== undefined && { trigger: { body: body.value } }),
          },
          tags: tags
            .split(",")
            .map((tag) => tag.trim())
            .filter(Boolean),
        },
      }),
    onSuccess: async (started) => {
      await queries.invalidateQueries({ queryKey: ["runs"] });
      const runId = "id" in started ? started.id : started.queueId.replace(/^queue_/, "run_");
      onClose();
      await navigate({ to: "/runs/$runId", params: { runId }, search: {} });
    },
  });
  return (
    <Dialog
      title={t("flow.trigger")}
      onClose={onClose}
      footer={
        <button
          type="button"
          className="primary"
          disabled={trigger.isPending || !body.ok}
          onClick={() => trigger.mutate()}
        >
          {t("flow.start")}
        </button>
      }
    >
      {body.field}
      <Field
        label={t("runs.tags")}
        help={t("flow.tagsHelp")}
        value={tags}
        onChange={(event) => setTags(event.target.value)}
      />
      {trigger.error && <ErrorNote error={trigger.error} />}
    </Dialog>
  );
}
