import { type Command, CommanderError } from "commander";
import { DocumentFaults, faultText } from "../domain/documents/fault.ts";
import { reasonOf } from "../domain/error-reason.ts";
import { isDatabaseUnavailable } from "../storage/pool.ts";
import { UsageError } from "./cli.ts";

const MAX_FAULTS_SHOWN = 200;

/** Runs one command line and answers with the exit code: 0 done, 1 failed, 2 not understood. */
export async function runProgram(
  program: Command,
  argv: readonly string[],
  stderr: (text: string) => void,
): Promise<number> {
  try {
    await program.parseAsync([...argv]);
    return 0;
  } catch (error) {
    // Commander has already said what was wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof DocumentFaults) {
      for (const fault of error.faults.slice(0, MAX_FAULTS_SHOWN)) stderr(faultText(fault));
      const hidden = error.faults.length - MAX_FAULTS_SHOWN;
      if (hidden > 0) stderr(`… and ${hidden} more`);
    }
    stderr(`error: ${messageOf(error)}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

function messageOf(error: unknown): string {
  if (isDatabaseUnavailable(error)) {
    return `The database cannot be used right now (${reasonOf(error)}); see: millrace doctor`;
  }
  return reasonOf(error);
}
