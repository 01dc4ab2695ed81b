import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { useT } from "../texts/texts.tsx";
import { Icon } from "../ui/icon.tsx";
import { navigation } from "./navigation.ts";
import { OfflineNote } from "./offline-note.tsx";
import { Palette } from "./palette.tsx";
import { ShortcutHelp, useShortcuts } from "./shortcuts.tsx";
import { UserMenu } from "./user-menu.tsx";
import styles from "./shell.module.css";

const META = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";

/** What stands around every page: where one can go, the palette, and who one is. */
export function Shell(): ReactNode {
  const t = useT();
  const menu = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const { palette, help, openPalette, openHelp, close } = useShortcuts();

  useEffect(() => {
    if (menu.current?.matches(":popover-open")) menu.current.hidePopover();
  }, [path]);

  const links = (
    <>
      {navigation().map((group) => (
        <ul key={group[0]!.to} className={styles.group}>
          {group.map(({ to, text, icon }) => (
            <li key={to}>
              <Link to={to} className={styles.link} activeProps={{ "aria-current": "page" }}>
                <Icon name={icon} />
                {t(text)}
              </Link>
            </li>
          ))}
        </ul>
      ))}
    </>
  );
  return (
    <div className={styles.shell}>
      <a href="#main" className={styles.skip}>
        {t("nav.skip")}
      </a>
      <header className={styles.bar}>
        <button
          type="button"
          className={`quiet ${styles.menuButton}`}
          popoverTarget="menu"
          aria-label={t("nav.menu")}
        >
          <Icon name="menu" />
        </button>
        <Link to="/runs" className={styles.brand}>
          <img src="/console/icon.svg" alt="" width="20" height="20" />
          Millrace
        </Link>
        <button type="button" className={styles.search} onClick={openPalette}>
          <Icon name="search" />
          <span className={styles.searchText}>{t("palette.hint")}</span>
          <kbd>{META}</kbd>
        </button>
        <UserMenu onHelp={openHelp} />
      </header>
      <nav className={styles.sidebar} aria-label={t("nav.main")}>
        {links}
      </nav>
      <nav ref={menu} id="menu" popover="auto" className={styles.drawer} aria-label={t("nav.main")}>
        {links}
      </nav>
      <main id="main" tabIndex={-1} className={styles.main}>
        <Outlet />
      </main>
      <OfflineNote />
      {palette && <Palette onClose={close} />}
      {help && <ShortcutHelp onClose={close} />}
    </div>
  );
}
