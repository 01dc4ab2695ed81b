import { useRouter, useSearch } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { leaveForProvider, signIn, useSignInMethods } from "../../api/session.ts";
import { Preferences } from "../../shell/user-menu.tsx";
import { useT } from "../../texts/texts.tsx";
import { CopyLine } from "../../ui/copy.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import styles from "./login-page.module.css";

/** Taken from the address once, and removed from it before anything else: it must not stay in the history. */
function takeToken(): string | undefined {
  const token = location.hash.slice(1);
  if (token === "") return undefined;
  history.replaceState(history.state, "", location.pathname + location.search);
  return token;
}

export function LoginPage(): ReactNode {
  const t = useT();
  const { next } = useSearch({ from: "/login" });
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [key, setKey] = useState("");
  const tokenTaken = useRef(false);
  const methods = useSignInMethods().data?.methods;

  const enter = async (proof: Parameters<typeof signIn>[0]) => {
    setBusy(true);
    setError(undefined);
    try {
      await signIn(proof);
      await router.invalidate();
      // Where somebody wanted to go, with all that was chosen there.
      router.history.replace(`/console${next ?? "/runs"}`);
    } catch (fault) {
      setError(fault);
    } finally {
      setBusy(false);
    }
  };

  useEffect(() => {
    document.title = `${t("login.title")} · Millrace`;
    if (tokenTaken.current) return;
    tokenTaken.current = true;
    const token = takeToken();
    if (token) void enter({ token });
    // Only once: a token works once.
  }, []);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const pasted = key.trim();
    setKey("");
    void enter({ key: pasted });
  };

  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <p className={styles.brand}>
          <img src="/console/icon.svg" alt="" width="28" height="28" /> Millrace
        </p>
        <h1>{t("login.title")}</h1>
        {busy && <p role="status">{t("login.busy")}</p>}
        {error !== undefined && <ErrorNote error={error} />}
        <section className="stack">
          <h2>{t("login.link")}</h2>
          <p className="muted">{t("login.linkText")}</p>
          <CopyLine text="npx millrace console" />
        </section>
        {methods?.includes("oidc") && (
          <section className="stack">
            <h2>{t("login.provider")}</h2>
            <a href="/manage/sessions/oidc" className="button" onClick={leaveForProvider}>
              {t("login.providerButton")}
            </a>
          </section>
        )}
        <form className="stack" onSubmit={onSubmit}>
          <h2>
            <label htmlFor="key">{t("login.key")}</label>
          </h2>
          <p className="muted" id="key-help">
            {t("login.keyText")}
          </p>
          <div className={styles.field}>
            <input
              id="key"
              type="password"
              autoComplete="off"
              spellCheck={false}
              placeholder="mr_…"
              aria-describedby="key-help"
              value={key}
              required
              onChange={(event) => setKey(event.target.value)}
            />
            <button type="submit" className="primary" disabled={busy || key.trim() === ""}>
              {t("login.submit")}
            </button>
          </div>
        </form>
        <Preferences />
      </div>
    </main>
  );
}
