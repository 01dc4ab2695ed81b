import { Link } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import { readViews, type RunsView, storeViews } from "../../lib/saved-views.ts";
import type { RunsSearch } from "../../search.ts";
import { useT } from "../../texts/texts.tsx";
import { Icon } from "../../ui/icon.tsx";
import styles from "./run-filters.module.css";

const MAX_NAME = 60;

/** Filters that somebody needs again, under a name of their own. They are kept in this browser. */
export function SavedViews({ search }: { search: RunsSearch }): ReactNode {
  const t = useT();
  const [views, setViews] = useState(readViews);
  const [name, setName] = useState("");
  const keep = (changed: readonly RunsView[]) => {
    storeViews(changed);
    setViews(changed);
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    keep([...views.filter((view) => view.name !== name.trim()), { name: name.trim(), search }]);
    setName("");
  };
  const filtered = Object.keys(search).length > 0;
  return (
    <>
      <button type="button" popoverTarget="saved-views" className={styles.viewsButton}>
        {t("views.title")}
      </button>
      <div
        id="saved-views"
        popover="auto"
        className={styles.views}
        role="group"
        aria-label={t("views.title")}
      >
        {views.length === 0 && <p className="muted small">{t("views.none")}</p>}
        <ul>
          {views.map((view) => (
            <li key={view.name} className={styles.view}>
              <Link
                to="/runs"
                search={view.search}
                onClick={() => document.getElementById("saved-views")?.hidePopover()}
              >
                {view.name}
              </Link>
              <button
                type="button"
                className="quiet"
                aria-label={t("views.remove", { name: view.name })}
                onClick={() => keep(views.filter((other) => other !== view))}
              >
                <Icon name="cross" size={11} />
              </button>
            </li>
          ))}
        </ul>
        {filtered && (
          <form className="row" onSubmit={save}>
            <input
              aria-label={t("views.name")}
              placeholder={t("views.name")}
              required
              pattern=".*\S.*"
              maxLength={MAX_NAME}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
            <button type="submit">{t("views.save")}</button>
          </form>
        )}
      </div>
    </>
  );
}
