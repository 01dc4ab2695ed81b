import { createInterface } from "node:readline/promises";
import type { CliDependencies } from "./cli.ts";

/** What the streams of this process allow: drawing, asking, and being interrupted. */
export function terminalOf(
  process: NodeJS.Process,
): Pick<CliDependencies, "screen" | "ask" | "interruption"> {
  const { stdin, stdout } = process;
  return {
    interruption: () => {
      const controller = new AbortController();
      // Once: a second Ctrl-C ends the process as usual.
      process.once("SIGINT", () => controller.abort());
      return controller.signal;
    },
    ...(stdout.isTTY && {
      screen: { write: (text: string) => void stdout.write(text), columns: () => stdout.columns || 80 },
    }),
    ...(stdout.isTTY &&
      stdin.isTTY && {
        ask: async (question: string, signal: AbortSignal) => {
          const line = createInterface({ input: stdin, output: stdout });
          // In this mode Ctrl-C is a key like others; it is handed on as what it means.
          line.on("SIGINT", () => process.emit("SIGINT"));
          try {
            return await line.question(question, { signal });
          } finally {
            line.close();
          }
        },
      }),
  };
}
