import { setTimeout as sleep } from "node:timers/promises";

const LOOK_MS = 20;
const MAX_LOOKS = 500;

/** The link of a run that waits for an approval. */
export async function resumeUrlOf(address: string, key: string, runId: string): Promise<string> {
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const answer = await fetch(`${address}/api/runs/${runId}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { data } = (await answer.json()) as { data: { pause?: { resumeUrl: string } } };
    if (data.pause) return data.pause.resumeUrl;
    await sleep(LOOK_MS);
  }
  throw new Error(`the run ${runId} was never paused`);
}
