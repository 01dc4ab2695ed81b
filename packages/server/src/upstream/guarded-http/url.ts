import type { AddressGuard } from "../address-guard.ts";
import { GuardedHttpError, type HttpCredential } from "./guarded-http.ts";
import { unencryptedRefused } from "../unencrypted.ts";

const openPorts = new Set([80, 443, 8080, 8443]);
const firstUnprivilegedPort = 1024;

/** Everything about an address that can be judged without asking a name server; each hop of a redirect comes here. */
export function checkUrl(address: string, guard: AddressGuard, base?: URL): URL {
  const url = URL.parse(address, base?.href);
  if (url === null)
    throw new GuardedHttpError("UrlRefused", "The URL cannot be read. Write it in full, with https://.");
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new GuardedHttpError("UrlRefused", "Only http and https URLs can be called.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new GuardedHttpError("UrlRefused", "A URL must not contain a user or password. Use a credential.");
  }
  guard.checkHost(url.hostname);
  return url;
}

export function portOf(url: { protocol: string; port: string }): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

export function isOpenPort(port: number): boolean {
  return openPorts.has(port) || port >= firstUnprivilegedPort;
}

/** A credential goes to the hosts it was made for and nowhere else, whatever the flow says, and not past anybody on the way. */
export function checkCredentialHost(credential: HttpCredential, url: URL): void {
  if (url.protocol === "http:" && !credential.allowUnencrypted) throw unencryptedRefused(url.hostname);
  if (credential.allowedHosts.some((entry) => matches(entry, url))) return;
  const message = `The credential may not be sent to ${url.hostname}. Add the host to the credential's allowedHosts.`;
  throw new GuardedHttpError("CredentialRefused", message);
}

function matches(entry: string, url: URL): boolean {
  const [, host = "", port] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry.trim().toLowerCase()) ?? [];
  if (port !== undefined && Number(port) !== portOf(url)) return false;
  const hostname = url.hostname.replace(/\.$/, "");
  return host.startsWith("*.")
    ? hostname.endsWith(host.slice(1)) && host.length > 2
    : hostname === host && host !== "";
}
