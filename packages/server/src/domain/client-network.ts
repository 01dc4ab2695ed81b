import ipaddr from "ipaddr.js";

/** What counts as one caller: an IPv4 address, or the /64 of an IPv6 one, which is what a single customer gets. */
export function clientNetwork(address: string | undefined): string {
  // A connection that is gone has no address any more; nobody reads the answer.
  if (address === undefined) return "gone";
  if (!address.includes(":")) return address;
  if (!ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}
