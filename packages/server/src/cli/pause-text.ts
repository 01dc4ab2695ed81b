import type { RunDetail } from "@millrace/contract/runs";
import { oneLine } from "./texts.ts";

/** What a paused run waits for and, where a person has to decide, how to answer. */
export function pauseText({ id, pause }: Pick<RunDetail, "id" | "pause">): string {
  if (!pause) return "  paused";
  const until = pause.until === undefined ? "" : ` until ${pause.until}`;
  if (pause.kind !== "approval") return `  paused at "${pause.nodeId}"${until}`;
  const question = oneLine(pause.message ?? "", 500);
  return `  paused at "${pause.nodeId}"${until}: ${question}\n  answer with: millrace runs resume ${id} --approve (or --reject)`;
}
