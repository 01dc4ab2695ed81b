import type { ReactNode } from "react";
import { useWholeList } from "../../api/manage.ts";
import { type ManagedWebhook, WEBHOOKS } from "../../api/webhooks.ts";
import { useT } from "../../texts/texts.tsx";
import { CopyLine } from "../../ui/copy.tsx";
import { Panel } from "../../ui/page.tsx";

/** The address that starts this flow, with a request to copy. */
export function WebhookPanel({ flowId }: { flowId: string }): ReactNode {
  const t = useT();
  const webhook = useWholeList<ManagedWebhook>(WEBHOOKS).data?.find((one) => one.flowId === flowId);
  if (!webhook) return null;
  return (
    <Panel title={t("flow.webhook")}>
      <p>{t(webhook.enabled ? "flow.webhookOn" : "flow.webhookOff")}</p>
      <CopyLine
        secret
        text={`curl -s -X POST '${webhook.url}' -H 'Content-Type: application/json' -d '{"name":"Ada"}'`}
      />
    </Panel>
  );
}
