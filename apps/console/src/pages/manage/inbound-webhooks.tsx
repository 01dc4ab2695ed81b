import { type ReactNode, useState } from "react";
import { useFlowNames } from "../../api/flows.ts";
import { useManage, useManagedList } from "../../api/manage.ts";
import { type ManagedWebhook, WEBHOOKS } from "../../api/webhooks.ts";
import { useT } from "../../texts/texts.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { CopyLine } from "../../ui/copy.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { useFlowColumn } from "./flow-column.tsx";
import { ManagedList } from "./managed-page.tsx";

/** Addresses that start flows. */
export function InboundWebhooks(): ReactNode {
  const t = useT();
  const names = useFlowNames();
  const flowColumn = useFlowColumn();
  const [renewing, setRenewing] = useState<string>();
  const webhooks = useManagedList<ManagedWebhook>(WEBHOOKS);
  const act = useManage<unknown, { flowId: string; verb: "enable" | "disable" | "regenerate" }>(
    WEBHOOKS,
    ({ flowId, verb }) => ({ path: `${WEBHOOKS}/${flowId}/${verb}`, method: "POST" }),
  );
  return (
    <>
      {act.error && <ErrorNote error={act.error} />}
      <ManagedList
        title={t("webhooks.title")}
        list={webhooks}
        keyOf={({ flowId }) => flowId}
        empty={{
          title: t("webhooks.none"),
          text: t("webhooks.noneText"),
          command: "webhook: { enabled: true }",
        }}
        columns={[
          flowColumn,
          { name: t("flows.state"), cell: ({ enabled }) => t(enabled ? "flows.active" : "flows.inactive") },
          { name: t("endpoints.url"), wide: true, cell: ({ url }) => <CopyLine text={url} secret /> },
          {
            name: t("actions"),
            hidden: true,
            cell: ({ flowId, enabled }) => (
              <div className="row">
                <button
                  type="button"
                  disabled={act.isPending}
                  onClick={() => act.mutate({ flowId, verb: enabled ? "disable" : "enable" })}
                >
                  {t(enabled ? "webhooks.disable" : "webhooks.enable")}
                </button>
                <button
                  type="button"
                  className="danger"
                  disabled={act.isPending}
                  onClick={() => setRenewing(flowId)}
                >
                  {t("webhooks.regenerate")}
                </button>
              </div>
            ),
          },
        ]}
      />
      {renewing !== undefined && (
        <Confirm
          title={t("webhooks.regenerateTitle", { flow: names.get(renewing) ?? renewing })}
          text={t("webhooks.regenerateText")}
          action={t("webhooks.regenerate")}
          busy={act.isPending}
          error={act.error}
          onConfirm={() =>
            act.mutate({ flowId: renewing, verb: "regenerate" }, { onSuccess: () => setRenewing(undefined) })
          }
          onClose={() => setRenewing(undefined)}
        />
      )}
    </>
  );
}
