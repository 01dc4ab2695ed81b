import { z } from "zod";
import { queryExternalPostgres } from "../../upstream/external-postgres.ts";
import { defineNode } from "./node-type.ts";
import { readSecret } from "./support/credential.ts";
import { codeFaults } from "./support/document-faults.ts";

export const sql = defineNode({
  type: "sql",
  summary: "Runs one statement on a PostgreSQL database of yours; at most 60 s, 10,000 rows and 5 MB.",
  inputs: z.object({
    query: z
      .string()
      .min(1)
      .max(100_000)
      .describe("The statement, with `$1`, `$2` … where values go. Never put values into the text."),
    parameters: z
      .array(z.unknown())
      .max(1_000)
      .nullish()
      .describe("The values of `$1`, `$2` …; lists and objects go as JSON."),
  }),
  effect: true,
  faultsOf: (inputs) =>
    codeFaults(inputs, "query", 'write $1, $2 … and pass the values by the input "parameters"'),
  lockedInputs: ["query"],
  credential: { types: ["postgres"], required: true },
  output:
    "`{rows, rowCount}`. Timestamps are ISO 8601, `numeric` and integers beyond 2^53 are text, `bytea` is base64.",
  example: {
    inputs: {
      query: "SELECT id, total FROM orders WHERE customer = $1",
      parameters: ["{{ data.customer }}"],
    },
    credential: "cred_orders",
  },
  async execute({ query, parameters }, { organizationId, credential, services, signal }) {
    const { connectionString } = readSecret(credential, "postgres");
    const { rows, rowCount } = await queryExternalPostgres(services.foreign, {
      organizationId,
      connectionString,
      allowUnencrypted: credential?.allowUnencrypted ?? false,
      text: query,
      parameters: parameters ?? [],
      signal,
    });
    return { kind: "output", output: { rows, rowCount } };
  },
});
