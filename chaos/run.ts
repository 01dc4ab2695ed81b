// npm run chaos -- --help
import { writeFile } from "node:fs/promises";
import { type ChaosOptions, helpText, parseOptions } from "./options.ts";
import { isBroken, renderReport } from "./report.ts";
import { runSession } from "./session.ts";

const options = readOptions();
if (options) await main(options);

function readOptions(): ChaosOptions | undefined {
  try {
    const parsed = parseOptions(process.argv.slice(2));
    if (!parsed) console.log(helpText());
    return parsed;
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${helpText()}`);
    process.exitCode = 2;
    return undefined;
  }
}

async function main(options: ChaosOptions): Promise<void> {
  const beganMs = performance.now();
  const progress = (text: string) =>
    console.error(`${((performance.now() - beganMs) / 1_000).toFixed(1).padStart(7)} s  ${text}`);
  progress(`seed ${options.seed}`);
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      progress(`${signal}: stopping everything`);
      interruption.abort(new Error(signal));
    });
  }
  try {
    const { report, directory } = await runSession(options, { progress, interrupted: interruption.signal });
    console.log(renderReport(report));
    if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify(report, null, 2)}\n`);
    if (directory !== undefined) console.log(`requests.jsonl and logs of all processes: ${directory}`);
    if (isBroken(report)) process.exitCode = 1;
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    // Everything that was started is stopped; what is still waiting for it need not come to an end.
    process.exit(130);
  }
}
