import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { locales } from "@millrace/contract/locales";
import { signOut } from "../api/session.ts";
import { chooseOrganization, currentOrganization, readSession } from "../lib/session.ts";
import { applyTheme, readTheme, themes } from "../lib/theme.ts";
import { localeNames, useLanguage } from "../texts/texts.tsx";
import { Icon } from "../ui/icon.tsx";
import styles from "./user-menu.module.css";

/** Who one is, the language, the theme, and the way out. */
export function UserMenu({ onHelp }: { onHelp: () => void }): ReactNode {
  const { t } = useLanguage();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { user, organizations = [] } = readSession() ?? {};
  const leave = async () => {
    await signOut().catch(() => {});
    queries.clear();
    await navigate({ to: "/login" });
  };
  return (
    <>
      <button
        type="button"
        className={`quiet ${styles.button}`}
        popoverTarget="user-menu"
        aria-label={t("user.menu")}
      >
        <span className={styles.initial} aria-hidden="true">
          {(user?.name ?? "?").slice(0, 1).toUpperCase()}
        </span>
        <Icon name="down" size={12} />
      </button>
      <div id="user-menu" popover="auto" className={styles.menu}>
        {user && (
          <p className={styles.who}>
            <strong>{user.name}</strong>
            <span className="muted small">{user.email}</span>
          </p>
        )}
        {organizations.length > 1 && (
          <div className={styles.preferences}>
            <label htmlFor="organization">{t("user.organization")}</label>
            <select
              id="organization"
              value={currentOrganization()}
              onChange={(event) => {
                chooseOrganization(event.target.value);
                location.assign("/console/runs");
              }}
            >
              {organizations.map(({ id, role }) => (
                <option key={id} value={id}>
                  {id} ({t(`role.${role}`)})
                </option>
              ))}
            </select>
          </div>
        )}
        <Preferences />
        <button type="button" className="quiet" popoverTarget="user-menu" onClick={onHelp}>
          {t("keys.title")} <kbd>?</kbd>
        </button>
        <a href="/docs" className={`button quiet ${styles.docs}`}>
          {t("user.docs")}
        </a>
        <button type="button" onClick={() => void leave()}>
          {t("user.signOut")}
        </button>
      </div>
    </>
  );
}

export function Preferences(): ReactNode {
  const { t, locale, choose } = useLanguage();
  const [theme, setTheme] = useState(readTheme);
  return (
    <div className={styles.preferences}>
      <label htmlFor="language">{t("user.language")}</label>
      <select
        id="language"
        value={locale}
        onChange={(event) => choose(locales.find((one) => one === event.target.value) ?? "en")}
      >
        {locales.map((one) => (
          <option key={one} value={one} lang={one}>
            {localeNames[one]}
          </option>
        ))}
      </select>
      <label htmlFor="theme">{t("user.theme")}</label>
      <select
        id="theme"
        value={theme}
        onChange={(event) => {
          const chosen = themes.find((one) => one === event.target.value) ?? "auto";
          applyTheme(chosen);
          setTheme(chosen);
        }}
      >
        {themes.map((one) => (
          <option key={one} value={one}>
            {t(`theme.${one}`)}
          </option>
        ))}
      </select>
    </div>
  );
}
