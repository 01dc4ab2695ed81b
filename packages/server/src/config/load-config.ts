import { type Config, settings } from "./settings.ts";

/** Every fault of the configuration at once, so that it is mended in one go. */
export class ConfigError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
    this.faults = faults;
  }
}

export function readEnv(): Record<string, string | undefined> {
  return process.env;
}

/** An empty variable counts as absent: that is how compose files and unit files leave one out. */
export function toConfig(env: Record<string, string | undefined>): Config {
  const faults: string[] = [];
  const entries = Object.entries(settings).map(([name, { variable, schema, fallback }]) => {
    const text = env[variable] === "" ? undefined : env[variable];
    const value = text ?? fallback;
    if (value === undefined) return [name, undefined];
    const parsed = schema.safeParse(value);
    if (parsed.success) return [name, parsed.data];
    faults.push(`${variable} ${parsed.error.issues[0]?.message ?? "is not valid"}`);
    return [name, undefined];
  });
  const config = Object.fromEntries(entries) as Config;
  if (config.databaseUrl !== undefined && config.secretKey === undefined && faults.length === 0) {
    faults.push(
      "MILLRACE_SECRET_KEY is missing: with DATABASE_URL it must be set, the same in every process; make one with: openssl rand -base64 32",
    );
  }
  faults.push(...openIdFaults(config));
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** All three or none; and secrets go over https, or stay on this machine. */
function openIdFaults({ oidcIssuer, oidcClientId, oidcClientSecret }: Config): string[] {
  const given = [oidcIssuer, oidcClientId, oidcClientSecret].filter((value) => value !== undefined);
  if (given.length > 0 && given.length < 3)
    return [
      "MILLRACE_OIDC_ISSUER, MILLRACE_OIDC_CLIENT_ID and MILLRACE_OIDC_CLIENT_SECRET must be set together",
    ];
  if (oidcIssuer === undefined || /^(?:https:|http:\/\/(?:127\.|localhost[:/]|\[::1\]))/.test(oidcIssuer))
    return [];
  return ["MILLRACE_OIDC_ISSUER must be an https address, unless it is on this machine"];
}

export interface DescribedSetting {
  readonly variable: string;
  readonly value: string;
  readonly source: "environment" | "default" | "unset";
  readonly help: string;
}

/** The effective configuration for people: texts as given, secrets masked. */
export function describeConfig(env: Record<string, string | undefined>): DescribedSetting[] {
  return Object.values(settings).map(({ variable, fallback, secret, help }) => {
    const given = env[variable] === "" ? undefined : env[variable];
    const text = given ?? fallback ?? "";
    const value = secret && text !== "" ? mask(text) : text;
    return {
      variable,
      value,
      help,
      source: given !== undefined ? "environment" : fallback !== undefined ? "default" : "unset",
    };
  });
}

/** Keeps what helps to find a mistake: a database address is shown without its password. */
function mask(text: string): string {
  return /^\w+:\/\//.test(text) ? text.replace(/\/\/[^@/]*@/, "//***@").replace(/\?.*$/, "?***") : "***";
}
