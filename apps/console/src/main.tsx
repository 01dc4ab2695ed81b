import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { type ReactNode, StrictMode, useCallback, useState } from "react";
import { createRoot } from "react-dom/client";
import type { Locale } from "@millrace/contract/locales";
import { ApiError, setRequestLocale, whenSignedOut } from "./api/request.ts";
import { applyTheme, readTheme } from "./lib/theme.ts";
import { router } from "./router.tsx";
import {
  type Dictionary,
  LanguageProvider,
  loadDictionary,
  readLocale,
  storeLocale,
} from "./texts/texts.tsx";
import "./styles/tokens.css";
import "./styles/base.css";

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What was refused will be refused again; what was lost on the way is asked for again.
      retry: (count, error) =>
        count < 2 && error instanceof ApiError && (error.status === 0 || error.status === 503),
    },
  },
});

whenSignedOut(() => {
  queries.clear();
  const { pathname, searchStr } = router.state.location;
  // Nothing can be saved any more.
  void router.navigate({ to: "/login", search: { next: pathname + searchStr }, ignoreBlocker: true });
});

function Console(props: { locale: Locale; dictionary: Dictionary }): ReactNode {
  const [language, setLanguage] = useState(props);
  const choose = useCallback((locale: Locale) => {
    void loadDictionary(locale).then((dictionary) => {
      speak(locale);
      storeLocale(locale);
      setLanguage({ locale, dictionary });
      void queries.invalidateQueries();
    });
  }, []);
  return (
    <LanguageProvider {...language} choose={choose}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </LanguageProvider>
  );
}

function speak(locale: Locale): void {
  document.documentElement.lang = locale;
  setRequestLocale(locale);
}

async function start(): Promise<void> {
  applyTheme(readTheme());
  const locale = readLocale();
  const dictionary = await loadDictionary(locale);
  speak(locale);
  createRoot(document.getElementById("root")!).render(
    <StrictMode>
      <Console locale={locale} dictionary={dictionary} />
    </StrictMode>,
  );
}

void start();
