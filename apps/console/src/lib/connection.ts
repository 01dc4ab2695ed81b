/** Whether the service answered last. Whoever asks it says so here; the page around all pages shows it. */
let lost = false;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** A connection that breaks is made again at once, as a rule. */
const PATIENCE_MS = 2_000;

export function noteLost(): void {
  if (lost) return;
  timer ??= setTimeout(() => tell(true), PATIENCE_MS);
}

export function noteReached(): void {
  clearTimeout(timer);
  timer = undefined;
  if (lost) tell(false);
}

function tell(now: boolean): void {
  timer = undefined;
  lost = now;
  for (const listener of listeners) listener();
}

export function whenConnectionChanges(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function isLost(): boolean {
  return lost;
}
