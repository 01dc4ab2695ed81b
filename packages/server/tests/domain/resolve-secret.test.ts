import type { CredentialDocument } from "@millrace/contract/documents/credential";
import { describe, expect, it } from "vitest";
import { resolveSecret, type StoredSecret } from "../../src/domain/documents/resolve-secret.ts";

const stored: StoredSecret = {
  type: "http-basic",
  allowedHosts: ["a.example", "b.example"],
  allowUnencrypted: false,
  secret: { user: "ada", password: "stored-password" },
};
const document = {
  kind: "Credential",
  id: "cred_a",
  organizationId: "org_a",
  type: "http-basic",
  allowedHosts: ["a.example"],
  secret: { user: "ada", password: { env: "PASSWORD" } },
} satisfies CredentialDocument;

const resolve = (changes: Partial<CredentialDocument> = {}, at: StoredSecret = stored, env = {}) =>
  resolveSecret({ ...document, ...changes }, env, at);

const notSet = (more: string) => ({
  problems: [{ path: ["secret", "password", "env"], message: `the variable PASSWORD is not set${more}` }],
});

const EXPLAINED =
  ", and the stored value is kept only where it stays as it is: set the variable to change where the secret is sent";

describe("a secret whose variable is not set", () => {
  it("stays as it is stored, where all else of the credential does", () => {
    const kept = { secret: { user: "ada", password: "stored-password" }, kept: ["PASSWORD"] };
    expect(resolve()).toEqual(kept);
    expect(resolve({ allowedHosts: ["b.example", "a.example"] })).toEqual(kept);
    const { allowedHosts: _hosts, ...withoutHosts } = document;
    expect(resolveSecret(withoutHosts, {}, stored)).toEqual(kept);
    expect(resolve({ allowUnencrypted: true }, { ...stored, allowUnencrypted: true })).toEqual(kept);
  });

  it("is the variable's again once that is set", () => {
    expect(resolve({ allowedHosts: ["evil.example"] }, stored, { PASSWORD: "new" })).toEqual({
      secret: { user: "ada", password: "new" },
      kept: [],
    });
  });

  it.each<[string, Partial<CredentialDocument>]>([
    ["to another host", { allowedHosts: ["a.example", "evil.example"] }],
    ["without TLS", { allowUnencrypted: true }],
    ["beside another value", { secret: { user: "eve", password: { env: "PASSWORD" } } }],
    ["beside a value that was not there", { secret: { ...document.secret, proxy: "evil.example" } }],
  ])("is not sent %s", (_, changes) => {
    const result = resolve(changes);
    expect(result).toEqual(notSet(EXPLAINED));
    expect(JSON.stringify(result)).not.toContain("stored-password");
  });

  it("is missing where none is stored, or one of another type or without the field", () => {
    expect(resolveSecret(document, {})).toEqual(notSet(""));
    expect(resolve({}, { ...stored, type: "http-bearer" })).toEqual(notSet(""));
    expect(resolve({}, { ...stored, secret: { user: "ada" } })).toEqual(notSet(""));
  });

  it("does not hide that another field asks for a variable of the service", () => {
    const forbidden = expect.objectContaining({
      path: ["secret", "user", "env"],
      message: expect.stringMatching(/^DATABASE_URL is a variable of the service itself/),
    });
    const secret = { user: { env: "DATABASE_URL" }, password: { env: "PASSWORD" } };
    const env = { DATABASE_URL: "postgres://u:p@h/d" };
    expect(resolveSecret({ ...document, secret }, env)).toEqual({
      problems: [forbidden, ...notSet("").problems],
    });
    // A field with a value has no fault of its own, nor has one whose stored value would be kept.
    expect(resolve({ secret }, stored, env)).toEqual({ problems: [forbidden] });
    expect(resolve({ secret: { user: { env: "DATABASE_URL" }, password: "given" } })).toEqual({
      problems: [forbidden],
    });
  });
});
