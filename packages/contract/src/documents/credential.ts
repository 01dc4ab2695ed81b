import { z } from "zod";
import { designId } from "../ids.ts";
import { closedObject } from "./closed-object.ts";
import { organizationId } from "./fields.ts";

const credentialTypes = [
  "http-bearer",
  "http-basic",
  "http-header",
  "postgres",
  "smtp",
  "model-provider",
] as const;

const secretValue = z.union(
  [
    z.string(),
    z.number(),
    z.boolean(),
    closedObject({
      env: z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
        .describe("Name of the variable."),
    }),
  ],
  "must be a text, or { env: NAME } to take it from the environment of `apply`",
);

const allowedHost = z
  .string()
  .regex(/^[A-Za-z0-9.:[\]*-]{1,253}$/, "must be a host such as api.example.com, without scheme or path");

export const credentialDocument = closedObject({
  kind: z.literal("Credential"),
  id: designId,
  organizationId,
  type: z.enum(credentialTypes, `must be one of ${credentialTypes.join(", ")}`),
  allowedHosts: z
    .array(allowedHost)
    .max(100)
    .optional()
    .describe("Where the secret may be sent; required for every http and model type."),
  allowUnencrypted: z
    .boolean("must be true or false")
    .optional()
    .describe(
      "Lets it be sent without TLS (http, SMTP with `secure: false`, PostgreSQL with `sslmode=disable`), and then to private addresses alone.",
    ),
  secret: z
    .record(z.string(), secretValue)
    .describe(
      "Encrypted at rest, never shown again. The fields depend on the type: `token`; `user`, `password`; …",
    ),
});

export type CredentialDocument = z.infer<typeof credentialDocument>;
