import { fileURLToPath } from "node:url";

export const source = fileURLToPath(new URL("../../bin/millrace.js", import.meta.url));

/** Where a run of the tests says which file they start. */
export const PROGRAM_VARIABLE = "TESTED_PROGRAM";

/** `millrace` of this checkout. */
export const program = process.env[PROGRAM_VARIABLE] ?? source;
