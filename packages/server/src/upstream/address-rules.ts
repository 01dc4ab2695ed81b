import { BlockList, isIP } from "node:net";
import ipaddr from "ipaddr.js";

/*
 * Which addresses belong to the public internet. Written as what is allowed, not as what is forbidden: a range nobody
 * thought of is refused.
 */

/** Unicast by the book, but answered by the cloud's own services. */
const refusedIpv4 = listOf(["168.63.129.16/32"]);
const publicIpv6 = listOf(["2000::/3"]);
/** Protocol assignments with Teredo, documentation, 6to4 and its successor: all can stand for another address. */
const refusedIpv6 = listOf(["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"]);

export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return ipaddr.IPv4.parse(address).range() === "unicast" && !refusedIpv4.check(address, "ipv4");
    case 6:
      return (
        ipaddr.IPv6.parse(address).range() === "unicast" &&
        publicIpv6.check(address, "ipv6") &&
        !refusedIpv6.check(address, "ipv6")
      );
    default:
      return false;
  }
}

/** `::ffff:a.b.c.d` in any spelling: refused as such, because two names for one address are one too many. */
export function isMappedAddress(address: string): boolean {
  return isIP(address) === 6 && ipaddr.IPv6.parse(address).isIPv4MappedAddress();
}

export function listOf(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = "", prefix] = cidr.split("/");
    const family = isIP(address);
    if (family === 0) throw new Error(`"${cidr}" is not an address range such as 10.0.0.0/8.`);
    const bits = prefix === undefined ? (family === 4 ? 32 : 128) : Number(prefix);
    list.addSubnet(address, bits, family === 4 ? "ipv4" : "ipv6");
  }
  return list;
}

export function isInList(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? "ipv4" : "ipv6");
}
