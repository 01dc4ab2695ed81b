import { type ReactNode, useId } from "react";
import type { FlowTemplate } from "@millrace/client";
import { mayAct } from "../../lib/session.ts";
import { useT } from "../../texts/texts.tsx";
import styles from "./templates-page.module.css";

export function TemplateCard(props: { template: FlowTemplate; busy: boolean; onUse: () => void }): ReactNode {
  const t = useT();
  const id = useId();
  const { name, description, credentials, nodeTypes, picture } = props.template;
  return (
    <li className={styles.card} aria-labelledby={id}>
      <div className={styles.picture}>
        <img
          src={`data:image/svg+xml,${encodeURIComponent(picture)}`}
          alt={t("templates.picture", { nodes: nodeTypes.join(", ") })}
          loading="lazy"
        />
      </div>
      <h2 id={id}>{name}</h2>
      <p>{description}</p>
      {credentials.length > 0 && (
        <p className="muted small">
          {t("templates.needs", { types: [...new Set(credentials.map(({ type }) => type))].join(", ") })}
        </p>
      )}
      {mayAct("admin") && (
        <button
          type="button"
          className="primary"
          aria-label={`${t("templates.use")}: ${name}`}
          disabled={props.busy}
          onClick={props.onUse}
        >
          {t("templates.use")}
        </button>
      )}
    </li>
  );
}
