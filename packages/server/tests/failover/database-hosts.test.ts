import { describe, expect, it } from "vitest";
import { describeConfig } from "../../src/config/load-config.ts";
import { hasSeveralHosts, hostsOf, withFirstHost } from "../../src/storage/database-hosts.ts";

describe("a database address", () => {
  it.each([
    ["postgres://u:p@one/db", [{ host: "one", port: 5432 }]],
    [
      "postgres://u:p@one:6000,two/db",
      [
        { host: "one", port: 6000 },
        { host: "two", port: 5432 },
      ],
    ],
    [
      "postgresql://[::1]:6000,10.0.0.2:6001/db?sslmode=require",
      [
        { host: "::1", port: 6000 },
        { host: "10.0.0.2", port: 6001 },
      ],
    ],
  ])("%s names its hosts in order", (url, hosts) => {
    expect(hostsOf(url)).toEqual(hosts);
    expect(hasSeveralHosts(url)).toBe(hosts.length > 1);
  });

  it("keeps everything else when it is read with its first host", () => {
    expect(withFirstHost("postgres://u:p%40x@one:6000,two/db?sslmode=require")).toBe(
      "postgres://u:p%40x@one:6000/db?sslmode=require",
    );
  });

  it("of a socket is left alone", () => {
    const url = "postgres://u:p@/db?host=%2Frun%2Fpostgresql";
    expect(hasSeveralHosts(url)).toBe(false);
  });

  it("that names no host says which part is wrong, without the password", () => {
    expect(() => hostsOf("postgres://u:CANARY@one,two:x/db")).toThrow(/"two:x" in DATABASE_URL is no host/);
    expect(() => hostsOf("postgres://u:CANARY@one,two:x/db")).not.toThrow(/CANARY/);
  });

  it("with several hosts is shown without its password too", () => {
    const shown = describeConfig({ DATABASE_URL: "postgres://me:CANARY@one:1,two:2/x" });
    expect(shown.find(({ variable }) => variable === "DATABASE_URL")?.value).toBe(
      "postgres://***@one:1,two:2/x",
    );
  });
});
