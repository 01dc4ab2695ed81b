import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { startNode } from "./children.ts";

const READERS = fileURLToPath(import.meta.resolve("../stream-readers.ts"));

/** What the readers are told on stdin. */
export interface StreamPlan {
  readonly port: number;
  readonly key: string;
  readonly runIds: readonly string[];
}

export interface StreamReaders {
  /** Closes the streams; how late each change arrived, in milliseconds. */
  stop(): Promise<number[]>;
}

/** A process that holds one open stream for every run. */
export async function openStreams(plan: StreamPlan): Promise<StreamReaders> {
  const child = startNode(READERS, [], { stdin: JSON.stringify(plan) });
  const stdout = child.process.stdout!;
  let output = "";
  stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  await Promise.race([once(stdout, "data"), once(child.process, "exit")]);
  if (!output.startsWith("open\n")) throw new Error(`The streams did not open: ${child.complaints()}`);
  return {
    stop: async () => {
      const closed = once(child.process, "close");
      await child.stop();
      await closed;
      return JSON.parse(output.slice("open\n".length)) as number[];
    },
  };
}
