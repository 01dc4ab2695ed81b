import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useT } from "../texts/texts.tsx";
import { Empty, ErrorNote } from "../ui/notes.tsx";
import { Page } from "../ui/page.tsx";

export function NotFound(): ReactNode {
  const t = useT();
  return (
    <Page title={t("notFound.title")}>
      <Empty title={t("notFound.text")}>
        <Link to="/runs">{t("nav.runs")}</Link>
      </Empty>
    </Page>
  );
}

/** For addresses that belong to no page at all, where nothing stands around it. */
export function NowhereFound(): ReactNode {
  return (
    <main>
      <NotFound />
    </main>
  );
}

export function PageError({ error, reset }: { error: unknown; reset: () => void }): ReactNode {
  const t = useT();
  return (
    <Page title={t("error.title")}>
      <ErrorNote error={error} retry={reset} />
    </Page>
  );
}
