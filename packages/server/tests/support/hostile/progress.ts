export interface Progress<T> {
  readonly value: T;
  /** Turns of the event loop while the work was under way. */
  readonly turns: number;
  /** The largest processor time of this thread between two turns: unlike a delay, it does not count the neighbours'. */
  readonly longestTurnMs: number;
}

/** Counts how often this process comes to something else while the work is under way. */
export async function progressDuring<T>(work: Promise<T>): Promise<Progress<T>> {
  let turns = 0;
  let longestTurnMs = 0;
  let before = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    longestTurnMs = Math.max(longestTurnMs, (user + system) / 1000);
    turns += 1;
  };
  const timer = setInterval(look, 1);
  const value = await work.finally(() => {
    clearInterval(timer);
    look();
  });
  return { value, turns, longestTurnMs };
}
