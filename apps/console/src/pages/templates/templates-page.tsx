import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { FlowTemplate } from "@millrace/client";
import { useCreateFlow } from "../../api/create-flow.ts";
import { requestData } from "../../api/request.ts";
import type { Page as ListPage } from "../../api/runs.ts";
import { useT } from "../../texts/texts.tsx";
import { Field } from "../../ui/field.tsx";
import { Empty, ErrorNote, Loading } from "../../ui/notes.tsx";
import { Page } from "../../ui/page.tsx";
import { NewFlowButton } from "./new-flow.tsx";
import { TemplateCard } from "./template-card.tsx";
import styles from "./templates-page.module.css";

/** Flows to begin with: what each does, and its picture. */
export function TemplatesPage(): ReactNode {
  const t = useT();
  const templates = useQuery({
    queryKey: ["templates"],
    queryFn: async ({ signal }) =>
      (await requestData<ListPage<FlowTemplate>>("/manage/templates", { signal })).data,
    staleTime: Infinity,
  });
  const create = useCreateFlow();
  const [text, setText] = useState("");
  const shown = templates.data?.filter((template) => fits(template, text)) ?? [];
  return (
    <Page title={t("nav.templates")} actions={<NewFlowButton />}>
      <p className="muted">{t("templates.intro")}</p>
      <div className={styles.search}>
        <Field
          label={t("templates.search")}
          type="search"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {templates.error && <ErrorNote error={templates.error} retry={() => void templates.refetch()} />}
      {create.error && <ErrorNote error={create.error} />}
      {templates.isPending && <Loading />}
      {templates.data && shown.length === 0 && <Empty title={t("templates.none")} />}
      <ul className={styles.gallery}>
        {shown.map((template) => (
          <TemplateCard
            key={template.id}
            template={template}
            busy={create.isPending}
            onUse={() => create.mutate({ template: template.id })}
          />
        ))}
      </ul>
    </Page>
  );
}

function fits({ name, description, nodeTypes }: FlowTemplate, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const searched = [name, description, ...nodeTypes].join(" ").toLowerCase();
  return words.every((word) => searched.includes(word));
}
