import { BlockList, isIP } from "node:net";

/** A header may name a thousand proxies, and each would be looked at with each request. */
const MAX_HOPS = 10;

/** Whether the address is that of a proxy whose word counts; `false` where there are none. */
export function trustedProxies(
  networks: readonly string[],
): false | ((address: string, hop: number) => boolean) {
  if (networks.length === 0) return false;
  const trusted = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    trusted.addSubnet(address, Number(prefix), isIP(address) === 6 ? "ipv6" : "ipv4");
  }
  return (address, hop) =>
    hop < MAX_HOPS && isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
