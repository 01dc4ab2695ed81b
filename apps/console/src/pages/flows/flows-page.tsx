import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ManagedFlow } from "@millrace/client";
import { useManagedList } from "../../api/manage.ts";
import { useLanguage } from "../../texts/texts.tsx";
import { Ago } from "../../ui/time.tsx";
import { ManagedPage } from "../manage/managed-page.tsx";
import { NewFlowButton } from "../templates/new-flow.tsx";

export function FlowsPage(): ReactNode {
  const { t, locale } = useLanguage();
  const flows = useManagedList<ManagedFlow>("/manage/flows", { "page[size]": 100 });
  return (
    <ManagedPage
      title={t("nav.flows")}
      actions={
        <>
          <Link to="/templates" className="button">
            {t("flows.fromTemplate")}
          </Link>
          <NewFlowButton />
        </>
      }
      list={flows}
      keyOf={({ id }) => id}
      empty={{ title: t("flows.none"), text: t("flows.noneText"), command: "npx millrace apply flows/" }}
      columns={[
        {
          name: t("flows.name"),
          title: true,
          cell: ({ id, name }) => (
            <Link to="/flows/$flowId" params={{ flowId: id }}>
              {name}
            </Link>
          ),
        },
        { name: t("flows.id"), className: "mono", cell: ({ id }) => id },
        {
          name: t("flows.state"),
          cell: ({ state, hasDraft }) => (
            <span>
              {t(`flows.${state}`)}
              {hasDraft && state !== "draft" && <span className="muted"> · {t("flows.hasDraft")}</span>}
            </span>
          ),
        },
        { name: t("runs.version"), cell: ({ version }) => version },
        {
          name: t("flow.webhook"),
          cell: ({ webhook }) => webhook !== "none" && t(`flows.webhook-${webhook}`),
        },
        {
          name: t("nav.schedules"),
          className: "number",
          cell: ({ schedules }) => schedules > 0 && schedules.toLocaleString(locale),
        },
        {
          name: t("flows.updated"),
          cell: ({ updatedAt, createdAt }) => <Ago value={updatedAt ?? createdAt} />,
        },
      ]}
    />
  );
}
