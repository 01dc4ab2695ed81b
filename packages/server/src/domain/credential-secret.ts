import { z } from "zod";
import type { CredentialType } from "./flow/catalogue.ts";

const text = z.string().min(1).max(65_536);

/** What the `secret` of each credential type holds. All values are text, as they come from documents or the environment. */
export const credentialSecrets = {
  "http-bearer": z.object({ token: text }),
  "http-basic": z.object({ user: text, password: z.string() }),
  "http-header": z.object({ name: z.string().regex(/^[A-Za-z0-9-]{1,128}$/), value: text }),
  /** `postgres://user:password@host:5432/database?sslmode=disable|require|verify-full`. */
  postgres: z.object({ connectionString: text }),
  /** `secure`: `true` TLS from the first byte, `starttls` (default) never without TLS, `false` without where it must be. */
  smtp: z.object({
    host: text,
    port: z.string().regex(/^\d{1,5}$/),
    user: z.string().optional(),
    password: z.string().optional(),
    secure: z.enum(["true", "starttls", "false"]).optional(),
  }),
  "model-provider": z.object({
    baseUrl: z.url({ protocol: /^https?$/ }).max(2_048),
    apiKey: z.string().max(65_536).optional(),
  }),
} as const satisfies Record<CredentialType, z.ZodObject>;

export type CredentialSecret<Type extends CredentialType> = z.infer<(typeof credentialSecrets)[Type]>;

const PUBLIC_FIELDS = new Set(["name", "host", "port", "user", "secure", "baseUrl"]);
const MIN_SECRET_LENGTH = 4;

/** Every text by which a secret could be recognised in something that a node says. */
export function secretTexts(secret: Readonly<Record<string, string>>): string[] {
  const texts = Object.entries(secret)
    .filter(([field]) => !PUBLIC_FIELDS.has(field))
    .map(([, value]) => value);
  const { connectionString, user, password } = secret;
  if (connectionString !== undefined) texts.push(...passwordOf(connectionString));
  if (user !== undefined && password !== undefined) texts.push(base64(`${user}:${password}`));
  return texts
    .filter((candidate) => candidate.length >= MIN_SECRET_LENGTH)
    .sort((a, b) => b.length - a.length);
}

function passwordOf(connectionString: string): string[] {
  const encoded = URL.parse(connectionString)?.password;
  return encoded ? [encoded, decodeURIComponent(encoded)] : [];
}

function base64(plain: string): string {
  return Buffer.from(plain, "utf8").toString("base64");
}
