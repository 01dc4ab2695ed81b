import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import type { Flow, RunStatus } from "@millrace/client";
import { runStatuses, triggerSources } from "@millrace/contract/run-status";
import type { RunsSearch } from "../../search.ts";
import { type TextKey, useT } from "../../texts/texts.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Status, statusText } from "../../ui/status.tsx";
import { SavedViews } from "./saved-views.tsx";
import styles from "./run-filters.module.css";

const periods: readonly (readonly [string, TextKey])[] = [
  ["15m", "period.15m"],
  ["1h", "period.1h"],
  ["1d", "period.1d"],
  ["1w", "period.1w"],
  ["30d", "period.30d"],
];

interface Props {
  readonly search: RunsSearch;
  readonly flows: readonly Flow[];
  readonly onChange: (changed: RunsSearch) => void;
  readonly onClear: () => void;
}

/** What is shown; all of it stands in the address. A phone has room for how many are set. */
export function RunFilters({ search, flows, onChange, onClear }: Props): ReactNode {
  const t = useT();
  const [open, setOpen] = useState(false);
  const count = countFilters(search);
  return (
    <div className={styles.filters} role="group" aria-label={t("runs.filters")}>
      <button
        type="button"
        className={styles.fold}
        aria-expanded={open}
        aria-controls="run-filters"
        onClick={() => setOpen(!open)}
      >
        <Icon name={open ? "down" : "right"} size={12} />
        {t("runs.filters")}
        {count > 0 && ` (${count})`}
      </button>
      <div id="run-filters" className={styles.fields} data-open={open}>
        <StatusFilter chosen={search.status ?? []} onChange={(status) => onChange({ status })} />
        <label className={styles.field}>
          <span className="visually-hidden">{t("runs.flow")}</span>
          <select
            value={search.flow ?? ""}
            onChange={(event) => onChange({ flow: event.target.value || undefined })}
          >
            <option value="">{t("runs.allFlows")}</option>
            {flows.map((flow) => (
              <option key={flow.id} value={flow.id}>
                {flow.name}
              </option>
            ))}
          </select>
        </label>
        <label className={styles.field}>
          <span className="visually-hidden">{t("runs.period")}</span>
          <select
            value={search.period ?? ""}
            onChange={(event) =>
              onChange({ period: event.target.value || undefined, from: undefined, to: undefined })
            }
          >
            <option value="">{t("period.all")}</option>
            {periods.map(([value, text]) => (
              <option key={value} value={value}>
                {t(text)}
              </option>
            ))}
          </select>
        </label>
        <label className={styles.field}>
          <span className="visually-hidden">{t("runs.trigger")}</span>
          <select
            value={search.trigger ?? ""}
            onChange={(event) =>
              onChange({ trigger: triggerSources.find((source) => source === event.target.value) })
            }
          >
            <option value="">{t("runs.allTriggers")}</option>
            {triggerSources.map((source) => (
              <option key={source} value={source}>
                {t(`trigger.${source}`)}
              </option>
            ))}
          </select>
        </label>
        <TextFilter label={t("runs.tag")} value={search.tag} onChange={(tag) => onChange({ tag })} />
        <TextFilter
          label={t("runs.version")}
          value={search.version}
          onChange={(version) => onChange({ version })}
        />
      </div>
      <SavedViews search={search} />
      {Object.keys(search).length > 0 && (
        <button type="button" className="quiet" onClick={onClear}>
          {t("runs.clear")}
        </button>
      )}
    </div>
  );
}

/** However a time was chosen, it is one choice. */
function countFilters({ from, to, period, ...others }: RunsSearch): number {
  return Object.keys(others).length + (from || to || period ? 1 : 0);
}

function StatusFilter(props: {
  chosen: readonly RunStatus[];
  onChange: (status?: RunStatus[]) => void;
}): ReactNode {
  const t = useT();
  const { chosen, onChange } = props;
  const label =
    chosen.length === 0 ? t("runs.allStatuses") : chosen.map((status) => t(statusText(status))).join(", ");
  return (
    <>
      <button type="button" popoverTarget="status-filter" className={styles.statusButton}>
        {label}
      </button>
      <fieldset id="status-filter" popover="auto" className={styles.statuses}>
        <legend className="visually-hidden">{t("runs.status")}</legend>
        {runStatuses.map((status) => (
          <label key={status}>
            <input
              type="checkbox"
              checked={chosen.includes(status)}
              onChange={(event) => {
                const next = event.target.checked
                  ? [...chosen, status]
                  : chosen.filter((other) => other !== status);
                onChange(next.length > 0 ? next : undefined);
              }}
            />
            <Status status={status} />
          </label>
        ))}
      </fieldset>
    </>
  );
}

function TextFilter(props: {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}): ReactNode {
  const { label, value = "", onChange } = props;
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() !== value) onChange(text.trim() || undefined);
  };
  return (
    <form className={styles.text} onSubmit={submit}>
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => submit()}
      />
    </form>
  );
}
