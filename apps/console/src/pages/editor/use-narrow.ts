import { useSyncExternalStore } from "react";

const narrow = window.matchMedia("(max-width: 720px)");

function subscribe(onChange: () => void): () => void {
  narrow.addEventListener("change", onChange);
  return () => narrow.removeEventListener("change", onChange);
}

/** A screen with room for one thing at a time. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}
