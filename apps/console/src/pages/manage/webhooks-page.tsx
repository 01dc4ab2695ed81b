import { useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import { Page, Panel } from "../../ui/page.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Endpoints } from "./endpoints.tsx";
import { InboundWebhooks } from "./inbound-webhooks.tsx";
import { NewEndpoint } from "./new-endpoint.tsx";

/** Addresses that start flows, and addresses that are told of what happens. */
export function WebhooksPage(): ReactNode {
  const t = useT();
  const { endpoint } = useSearch({ from: "/shell/webhooks" });
  const [adding, setAdding] = useState(false);
  return (
    <Page
      title={t("nav.webhooks")}
      actions={
        mayAct("admin") && (
          <button type="button" className="primary" onClick={() => setAdding(true)}>
            {t("endpoints.add")}
          </button>
        )
      }
    >
      <Panel title={t("endpoints.title")}>
        <Endpoints />
      </Panel>
      {endpoint !== undefined && <Deliveries key={endpoint} endpointId={endpoint} />}
      {mayAct("admin") && (
        <Panel title={t("webhooks.title")}>
          <InboundWebhooks />
        </Panel>
      )}
      {adding && <NewEndpoint onClose={() => setAdding(false)} />}
    </Page>
  );
}
