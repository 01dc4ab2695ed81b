import { expect, it, vi } from "vitest";
import { createAddressGuard } from "../../src/upstream/address-guard.ts";

// No test leaves loopback, and this one names a public address: whoever dials it fails here.
vi.mock("node:net", async (original) => ({
  ...(await original<typeof import("node:net")>()),
  connect: () => {
    throw new Error("dialled");
  },
}));

it("a secret without TLS goes to private addresses alone, whatever its credential allows", async () => {
  const names: Record<string, string[]> = {
    "public.example": ["93.184.216.34"],
    "both.example": ["10.0.0.5", "93.184.216.34"],
    "private.example": ["10.0.0.5"],
  };
  const guard = createAddressGuard({ allow: ["10.0.0.0/8"], resolve: async (name) => names[name]! });
  const dial = (host: string, onlyPrivate: boolean) =>
    guard.connect({ host, port: 80, onlyPrivate }).catch((error: Error) => `${error.name} ${error.message}`);
  expect(await dial("public.example", true)).toMatch(/^CredentialRefused .*without TLS/);
  expect(await dial("both.example", true)).toMatch(/^CredentialRefused/);
  expect(await dial("private.example", true)).toBe("Error dialled");
  expect(await dial("public.example", false)).toBe("Error dialled");
});
