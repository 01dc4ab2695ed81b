export interface HostAddress {
  readonly host: string;
  readonly port: number;
}

const DEFAULT_PORT = 5432;

/** The hosts of `postgres://user:password@one:5432,two:5433/database`, in their order. */
export function hostsOf(databaseUrl: string): HostAddress[] {
  return splitUrl(databaseUrl).hosts.map((text) => {
    const [, host, port] = /^(\[[^\]]+\]|[^:]*)(?::(\d+))?$/.exec(text) ?? [];
    if (!host) throw new Error(`"${text}" in DATABASE_URL is no host; write host or host:port.`);
    return { host: host.replace(/^\[(.+)\]$/, "$1"), port: port === undefined ? DEFAULT_PORT : Number(port) };
  });
}

/** The same address with its first host alone, which is all that `pg` can read. */
export function withFirstHost(databaseUrl: string): string {
  const { before, hosts, after } = splitUrl(databaseUrl);
  return `${before}${hosts[0]}${after}`;
}

export function hasSeveralHosts(databaseUrl: string): boolean {
  return splitUrl(databaseUrl).hosts.length > 1;
}

function splitUrl(databaseUrl: string): { before: string; hosts: string[]; after: string } {
  const [, before = "", hosts = "", after = ""] =
    /^([a-z]+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(databaseUrl) ?? [];
  return { before, hosts: hosts.split(","), after };
}
