import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (how: { type: "major" | "minor"; execution?: "async" }) => unknown;

/** Less is copied before anybody notices. */
const muchBytes = 4_000_000;

let collect: Collect | undefined;

/** The one of V8, and nobody else gets a way to ask for a collection. */
export function collector(): Collect {
  if (collect) return collect;
  setFlagsFromString("--expose-gc");
  collect = runInNewContext("gc") as Collect;
  setFlagsFromString("--no-expose-gc");
  return collect;
}

/**
 * To be called when many values were made at once that are still in use. V8 waits until its young generation is full and then
 * copies what is in use in one go: what a few requests had brought would be copied together, which stops everything for 100 ms.
 */
export function collectYoung(): void {
  if (youngBytes() < muchBytes) return;
  // Where so much is to be copied, threads share it well.
  setFlagsFromString("--parallel-scavenge");
  collector()({ type: "minor" });
  setFlagsFromString("--no-parallel-scavenge");
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")!.space_used_size;
}
