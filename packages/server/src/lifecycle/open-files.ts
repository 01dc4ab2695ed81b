import { readFileSync } from "node:fs";

/** How many files the system lets this process have open at once, connections among them; where it does not say, any number. */
export function maxOpenFiles(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
