import type { CredentialSecret } from "../domain/credential-secret.ts";
import type { ForeignServers } from "./foreign/foreign-servers.ts";
import type { Mail, MailCall } from "./foreign/messages.ts";
import { readForeignResult } from "./foreign/read-result.ts";
import { unencryptedRefused } from "./unencrypted.ts";

export interface MailRequest {
  readonly organizationId: string;
  readonly server: CredentialSecret<"smtp">;
  /** The credential lets its password go without TLS. */
  readonly allowUnencrypted: boolean;
  readonly mail: Mail;
  readonly signal: AbortSignal;
}

const tlsModes = { true: "always", starttls: "starttls", false: "off" } as const;

/** One message over one connection, spoken by a child process. Returns the Message-ID it was sent with. */
export async function sendMail(
  foreign: ForeignServers,
  { organizationId, server, allowUnencrypted, mail, signal }: MailRequest,
): Promise<{ messageId: string }> {
  const { host, user, password = "" } = server;
  const port = Number(server.port);
  const tls = tlsModes[server.secure ?? (server.port === "465" ? "true" : "starttls")];
  if (tls === "off" && user && !allowUnencrypted) throw unencryptedRefused(host);
  const call: MailCall = {
    protocol: "smtp",
    host,
    port,
    tls,
    ...(user ? { login: { user, password } } : {}),
    mail,
  };
  return readForeignResult(await foreign.call({ organizationId, port, call, signal }));
}
