import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useSyncExternalStore } from "react";
import { isLost, noteLost, noteReached, whenConnectionChanges } from "../lib/connection.ts";
import { useT } from "../texts/texts.tsx";
import styles from "./shell.module.css";

const ASK_MS = 3_000;

/** Says that the service does not answer, asks until it does, and then has what could not be read read again. */
export function OfflineNote(): ReactNode {
  const t = useT();
  const lost = useSyncExternalStore(whenConnectionChanges, isLost);
  const queries = useQueryClient();
  useEffect(() => {
    // Where the browser itself has no network, nobody asks for anything until it has one again.
    window.addEventListener("offline", noteLost);
    window.addEventListener("online", noteReached);
    return () => {
      window.removeEventListener("offline", noteLost);
      window.removeEventListener("online", noteReached);
    };
  }, []);
  useEffect(() => {
    if (!lost) return;
    const timer = setInterval(() => {
      fetch("/healthz").then(
        ({ ok }) => ok && noteReached(),
        () => {},
      );
    }, ASK_MS);
    return () => {
      clearInterval(timer);
      void queries.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
    };
  }, [lost, queries]);
  return (
    <p role="status" className={lost ? styles.offline : "visually-hidden"}>
      {lost ? t("offline.text") : ""}
    </p>
  );
}
