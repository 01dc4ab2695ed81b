import type { ForeignServers } from "./foreign/foreign-servers.ts";
import type { PostgresCall } from "./foreign/messages.ts";
import { readForeignResult } from "./foreign/read-result.ts";
import { unencryptedRefused } from "./unencrypted.ts";
import { UpstreamError } from "./upstream-error.ts";

export interface ExternalQuery {
  readonly organizationId: string;
  readonly connectionString: string;
  /** The credential lets its password go without TLS. */
  readonly allowUnencrypted: boolean;
  readonly text: string;
  readonly parameters: readonly unknown[];
  readonly signal: AbortSignal;
}

export interface ExternalRows {
  readonly rows: Record<string, unknown>[];
  readonly rowCount: number;
}

/** One statement on a connection of its own, spoken by a child process. Parameters never become part of the text. */
export async function queryExternalPostgres(
  foreign: ForeignServers,
  { organizationId, connectionString, allowUnencrypted, text, parameters, signal }: ExternalQuery,
): Promise<ExternalRows> {
  const { port, ...server } = readConnectionString(connectionString);
  if (server.tls === "off" && !allowUnencrypted) throw unencryptedRefused(server.host);
  const call = { protocol: "postgres", ...server, text, parameters } as const;
  return readForeignResult<ExternalRows>(await foreign.call({ organizationId, port, call, signal }));
}

function readConnectionString(connectionString: string) {
  const url = URL.parse(connectionString);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.hostname === "") throw invalid();
  const user = decode(url.username);
  if (user === "") throw invalid();
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port || 5432),
    user,
    password: decode(url.password),
    database: decode(url.pathname.slice(1)) || user,
    tls: tlsOf(url.searchParams.get("sslmode")),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid();
  }
}

function invalid(): UpstreamError {
  const message =
    "The credential's connectionString has to look like postgres://user:password@host:5432/database; a % in it is written %25.";
  return new UpstreamError("CredentialInvalid", message);
}

function tlsOf(sslMode: string | null): PostgresCall["tls"] {
  switch (sslMode ?? "disable") {
    case "disable":
      return "off";
    case "require":
      return "unverified";
    case "verify-full":
      return "verified";
    default:
      throw new UpstreamError(
        "CredentialInvalid",
        "The connectionString's sslmode is disable, require or verify-full.",
      );
  }
}
