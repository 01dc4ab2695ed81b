import { lookup } from "node:dns/promises";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { abortable } from "./abortable.ts";
import { NameLookups } from "./name-lookups.ts";
import { isInList, isMappedAddress, isPublicAddress, listOf } from "./address-rules.ts";
import type { SocketDialer } from "./socket-dialer.ts";
import { unencryptedRefused } from "./unencrypted.ts";
import { UpstreamError } from "./upstream-error.ts";

/** Decides where the service may connect to; every connection that flows and agents cause is opened here. */
export interface AddressGuard extends SocketDialer {
  /** Refuses a host that can be judged without asking a name server: an address literal, or a name of this machine. */
  checkHost(host: string): void;
  /** Every address of a host, or an error if one of them is not allowed. */
  resolve(host: string, organizationId?: string): Promise<ResolvedHost>;
  connect(target: ConnectTarget): Promise<Socket>;
}

interface ResolvedHost {
  readonly addresses: readonly string[];
  /** Opened by the operator, not merely public. */
  readonly allowListed: boolean;
}

interface ConnectTarget {
  readonly host: string;
  /** Whose share of the look-ups it takes; without one the host has a share of its own. */
  readonly organizationId?: string;
  readonly port: number;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Refuses a host that is merely public; for ports that are closed by default. */
  readonly onlyAllowListed?: boolean;
  /** Refuses a public address; for secrets that are sent without TLS. */
  readonly onlyPrivate?: boolean;
  readonly unread?: boolean;
}

export interface AddressGuardOptions {
  /** CIDR ranges opened by the operator, e.g. `127.0.0.0/8`. */
  readonly allow: readonly string[];
  /** All addresses of a name; the system's resolver unless given. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
}

const defaultTimeoutMs = 5_000;
/** Half of the threads that bin/millrace.js asks for. */
const maxLookups = 8;

export function createAddressGuard(options: AddressGuardOptions): AddressGuard {
  const allowed = listOf(options.allow);
  const own = listOf(ownAddresses());
  const lookups = options.resolve ? new NameLookups(options.resolve, maxLookups) : systemLookups;
  const isAllowListed = (address: string) => !isMappedAddress(address) && isInList(allowed, address);
  const isAllowed = (address: string) =>
    isAllowListed(address) || (isPublicAddress(address) && !isInList(own, address));

  function checkHost(host: string): void {
    const name = normalize(host);
    if (isIP(name) !== 0 && !isAllowed(name)) throw refused(name);
    if (isLocalName(name) && options.allow.length === 0) throw refused(name);
  }

  async function resolve(host: string, organizationId?: string): Promise<ResolvedHost> {
    const name = normalize(host);
    checkHost(name);
    const found = isIP(name) === 0 ? await lookups.find(name, organizationId ?? name).catch(noneOr) : [name];
    // A name of this machine reaches only what was opened, and is not refused for what else it stands for.
    const addresses = isLocalName(name) ? found.filter((address) => isAllowListed(address)) : found;
    if (addresses.length === 0 && !isLocalName(name)) {
      throw new UpstreamError("NameNotFound", `The name ${name} is not known.`);
    }
    if (addresses.length === 0 || !addresses.every((address) => isAllowed(address))) throw refused(name);
    return { addresses, allowListed: addresses.every((address) => isAllowListed(address)) };
  }

  async function connectChecked(target: ConnectTarget): Promise<Socket> {
    const deadline = AbortSignal.timeout(target.timeoutMs ?? defaultTimeoutMs);
    const ended = target.signal ? AbortSignal.any([target.signal, deadline]) : deadline;
    try {
      return await dial(target, ended);
    } catch (error) {
      if (deadline.aborted)
        throw new UpstreamError("ConnectTimeout", `${target.host} did not accept a connection in time.`);
      if (ended.aborted) throw new UpstreamError("RequestCanceled", "The request was canceled.");
      throw error;
    }
  }

  async function dial(
    { host: given, organizationId, port, onlyAllowListed, onlyPrivate, unread }: ConnectTarget,
    ended: AbortSignal,
  ): Promise<Socket> {
    const host = normalize(given);
    if (!(port >= 1 && port <= 65_535)) {
      throw new UpstreamError("PortRefused", `${port} is no port; ports go from 1 to 65535.`);
    }
    const { addresses, allowListed } = await abortable(resolve(host, organizationId), ended);
    if (onlyAllowListed && !allowListed) {
      throw new UpstreamError("PortRefused", `Port ${port} is not allowed on ${host}.`);
    }
    if (onlyPrivate && addresses.some(isPublicAddress)) throw unencryptedRefused(host);
    const socket = connect({
      host: addresses.length === 1 ? addresses[0] : host,
      port,
      lookup: handOut(addresses),
    });
    if (unread) socket.pause();
    try {
      await abortable(connected(socket, host), ended);
      if (!isAllowed(socket.remoteAddress ?? "")) throw refused(host);
      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  return { checkHost, resolve, connect: connectChecked };
}

/** Only addresses that were checked are dialled: a second answer of the name server is never asked for. */
function handOut(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, options, callback) => {
    if (options.all) callback(null, entries);
    else callback(null, entries[0]?.address ?? "", entries[0]?.family);
  };
}

function connected(socket: Socket, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let isConnected = false;
    socket.once("connect", () => {
      isConnected = true;
      resolve();
    });
    // Stays for good: an error after the connection is told by its user's own listeners. A thousand connections may break at
    // once, so nothing is made for them then.
    socket.on("error", () => {
      if (!isConnected) reject(new UpstreamError("ConnectFailed", `No connection to ${host} could be made.`));
    });
  });
}

function refused(host: string): UpstreamError {
  const message = `The address of ${host} is not allowed: it is private, local or reserved. The operator can open it with MILLRACE_EGRESS_ALLOW.`;
  return new UpstreamError("AddressRefused", message);
}

/** Lower case, without the brackets of an IPv6 literal and without the dot of a full name. */
function normalize(host: string): string {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
  if (name === "" || name.length > 253 || name.endsWith(".") || name.includes("%"))
    throw refused(host.slice(0, 253));
  return name;
}

function isLocalName(name: string): boolean {
  return (
    /^(.*\.)?(localhost|local|internal|localdomain)$/.test(name) ||
    name === "metadata" ||
    name.startsWith("metadata.")
  );
}

function ownAddresses(): string[] {
  const entries = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return entries.map((entry) => entry.address.replace(/%.*$/, ""));
}

async function systemAddresses(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map((entry) => entry.address);
}

/** One for the process, as its threads are. */
const systemLookups = new NameLookups(systemAddresses, maxLookups);

/** Whatever the resolver says, the name has no address; that it was never asked is another thing. */
function noneOr(error: unknown): [] {
  if (error instanceof UpstreamError) throw error;
  return [];
}
